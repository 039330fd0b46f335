// What a part of the page lacks is not offered: no timeline, no chart.

document.body.append(notice, tip);
startCopy();
if (readRows()) startFilter();
startScrubs();
startTips();
startKeys();
startLinks();
