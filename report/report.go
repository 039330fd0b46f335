// Package report renders a model.Report. It concludes nothing. Its door is Write.
package report
