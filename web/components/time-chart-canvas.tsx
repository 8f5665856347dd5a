import 'uplot/dist/uPlot.min.css';
import './time-chart-canvas.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { chartTooltip } from './chart-tooltip.ts';
import { useFormat } from './format.tsx';
import type { Series, TimeChartProps } from './time-chart.tsx';

const palette = { light: { line: '#e9ecef', text: '#495057' }, dark: { line: '#3b3b3b', text: '#b8b8b8' } };

const DAY_SECONDS = 86_400;
const dayOnly: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const timeOnly: Intl.DateTimeFormatOptions = { timeStyle: 'short' };
/** A narrower selection is a click. */
const MIN_SELECTION_PX = 8;

/** Axis labels are short: the date at midnight, the time of day elsewhere. */
function tickFormat(seconds: number, step: number): Intl.DateTimeFormatOptions {
  const at = new Date(seconds * 1000);
  return step >= DAY_SECONDS || at.getHours() + at.getMinutes() === 0 ? dayOnly : timeOnly;
}

/** Two lines per series: the complete buckets, and a dashed one to a last bucket that is not over. */
const linesOf = ({ colour, label }: Series): UPlot.Series[] => [
  { label, stroke: colour, width: 2, fill: `${colour}22`, points: { show: false } },
  { label, stroke: colour, width: 2, dash: [4, 4], points: { show: false } },
];

function valuesOf({ values }: Series, isLastUnfinished: boolean): (number | null)[][] {
  if (!isLastUnfinished) return [[...values], values.map(() => null)];
  const last = values.length - 1;
  return [
    values.map((value, i) => (i < last ? value : null)),
    values.map((value, i) => (i >= last - 1 ? value : null)),
  ];
}

export function TimeChartCanvas(props: TimeChartProps) {
  const { times, series, height = 220, label, isLastUnfinished = false, unfinishedText = '', onSelect } = props;
  const container = useRef<HTMLDivElement>(null);
  const { line, text } = palette[useComputedColorScheme('light')];
  const { short, number, time } = useFormat();
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const grid = { stroke: line, width: 1 };
    const axis = { stroke: text, grid, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    const tooltip = chartTooltip((index) => ({
      title: time(times[index]!, { dateStyle: 'short', timeStyle: 'short' }),
      lines: series.map((each) => ({ colour: each.colour, text: `${each.label}: ${number(each.values[index] ?? 0)}` })),
      note: isLastUnfinished && index === times.length - 1 ? unfinishedText : '',
    }));
    const selected = (plot: UPlot): void => {
      const { left, width } = plot.select;
      if (width < MIN_SELECTION_PX) return;
      const [from, to] = [left, left + width].map((px) => Math.round(plot.posToVal(px, 'x') * 1000)) as [
        number,
        number,
      ];
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      onSelect?.(from, to);
    };
    const options: UPlot.Options = {
      width: element.clientWidth,
      height,
      padding: [8, null, null, null],
      cursor: { drag: { x: onSelect !== undefined, y: false, setScale: false } },
      legend: { show: false },
      hooks: { setCursor: [tooltip.move], setSelect: [selected], init: [tooltip.attach] },
      axes: [
        {
          ...axis,
          space: 64,
          // Of one line of labels: the default leaves the legend far below.
          size: 28,
          grid: { show: false },
          values: (_plot, values, _axis, _space, step) => values.map((at) => time(at * 1000, tickFormat(at, step))),
        },
        { ...axis, size: 52, values: (_plot, values) => values.map((value) => short(value)) },
      ],
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, 4)] } },
      series: [{}, ...series.flatMap(linesOf)],
    };
    const seconds = times.map((millis) => millis / 1000);
    const plot = new UPlot(options, [seconds, ...series.flatMap((each) => valuesOf(each, isLastUnfinished))], element);
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height });
    });
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [times, series, height, line, text, short, number, time, isLastUnfinished, unfinishedText, onSelect]);
  return <div ref={container} role="img" aria-label={label} />;
}
