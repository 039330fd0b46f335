// What a part of the page lacks is not offered: no timeline, no filter.

document.body.append(notice, tip);
startCopy();
if (readRows()) startFilter();
startCharts();
startZone();
startTips();
startKeys();
startLinks();
