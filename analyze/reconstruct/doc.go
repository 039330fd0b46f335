// Package reconstruct puts the statements of a bundle together: clocks onto one axis, names to volumes and nodes, objects
// to a graph, observations to cases with phases. It says what happened and when; why is the business of package cause.
package reconstruct
