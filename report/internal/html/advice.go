package html

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/volpost/volpost/report/internal/view"
)

// The picture of a curve, in pixels: above the plot, the plot, and each row of letters below it.
const (
	curveAbove  = 18
	curvePlot   = 120
	curveLetter = 14
)

// edge is the share of the width at its ends in which a letter in the middle of its mark would leave the picture.
const edge = 0.02

// curveFuncs place a curve in its picture. The plot is a drawing of a thousand in width, so that it stretches without a script.
var curveFuncs = template.FuncMap{
	"curveY":   func(share float64) string { return fmt.Sprintf("%.1f", plotY(share)) },
	"curveTop": func(share float64) string { return fmt.Sprintf("%.1f", curveAbove+plotY(share)) },
	"letterY":  func(m view.CurveMark) int { return letterY(m.Row) },
	"letterAnchor": func(share float64) string {
		if share < edge {
			return "start"
		}
		if share > 1-edge {
			return "end"
		}
		return "middle"
	},
	"clockY":    func(c *view.CurveView) int { return letterY(rowsOf(c)) },
	"curveHigh": func(c *view.CurveView) int { return letterY(rowsOf(c)) + 4 },
	"curveLine": func(c *view.CurveView) string {
		return points(c.Points, func(p view.CurvePoint) float64 { return p.Y })
	},
	"curveBand": func(c *view.CurveView) string {
		least := points(c.Points, func(p view.CurvePoint) float64 { return p.Least })
		back := make([]view.CurvePoint, 0, len(c.Points))
		for i := range c.Points {
			back = append(back, c.Points[len(c.Points)-1-i])
		}
		return least + " " + points(back, func(p view.CurvePoint) float64 { return p.Most })
	},
}

// plotY is a share of the height in the plot, whose first row is the top.
func plotY(share float64) float64 { return curvePlot * (1 - min(max(share, 0), 1)) }

// letterY is the base line of a row of letters.
func letterY(row int) int { return curveAbove + curvePlot + curveLetter*(row+1) + 4 }

// rowsOf is how many rows of letters a curve has.
func rowsOf(c *view.CurveView) int {
	rows := 0
	for _, m := range c.Marks {
		rows = max(rows, m.Row+1)
	}
	return rows
}

func points(list []view.CurvePoint, y func(view.CurvePoint) float64) string {
	return strings.Join(view.Each(list, func(p view.CurvePoint) string { return fmt.Sprintf("%.0f,%.1f", 1000*p.X, plotY(y(p))) }), " ")
}
