// Package logfile reads one log file into observations: it recognises the component, runs the records of package logline
// through the tables of package phrase, and folds statements that a controller repeats for minutes into one.
package logfile
