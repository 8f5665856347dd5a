import 'uplot/dist/uPlot.min.css';
import './time-chart-canvas.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useFormat } from './format.tsx';
import type { TimeChartProps } from './time-chart.tsx';

const palette = { light: { line: '#e9ecef', text: '#495057' }, dark: { line: '#3b3b3b', text: '#b8b8b8' } };

const DAY_SECONDS = 86_400;
const dayOnly: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const timeOnly: Intl.DateTimeFormatOptions = { timeStyle: 'short' };

/** Axis labels are short: the date at midnight, the time of day elsewhere. */
function tickFormat(seconds: number, step: number): Intl.DateTimeFormatOptions {
  const at = new Date(seconds * 1000);
  return step >= DAY_SECONDS || at.getHours() + at.getMinutes() === 0 ? dayOnly : timeOnly;
}

export function TimeChartCanvas({ times, series, height = 220, label }: TimeChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const { line, text } = palette[useComputedColorScheme('light')];
  const { short, number, time } = useFormat();
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const grid = { stroke: line, width: 1 };
    const axis = { stroke: text, grid, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    const options: UPlot.Options = {
      width: element.clientWidth,
      height,
      cursor: { drag: { x: false, y: false } },
      legend: { live: true },
      // The legend shows values only while the pointer is over the chart.
      hooks: { setCursor: [({ root, cursor }) => root.toggleAttribute('data-pointed', cursor.idx != null)] },
      axes: [
        {
          ...axis,
          space: 64,
          grid: { show: false },
          values: (_plot, values, _axis, _space, step) => values.map((at) => time(at * 1000, tickFormat(at, step))),
        },
        { ...axis, size: 52, values: (_plot, values) => values.map((value) => short(value)) },
      ],
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, 4)] } },
      series: [
        {
          value: (_plot, seconds) =>
            seconds === null ? '' : time(seconds * 1000, { dateStyle: 'short', timeStyle: 'short' }),
        },
        ...series.map(({ label, colour }) => ({
          label,
          stroke: colour,
          width: 2,
          fill: `${colour}22`,
          points: { show: false },
          value: (_plot: UPlot, value: number | null) => (value === null ? '' : number(value)),
        })),
      ],
    };
    const seconds = times.map((millis) => millis / 1000);
    const plot = new UPlot(options, [seconds, ...series.map(({ values }) => [...values])], element);
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height });
    });
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [times, series, height, line, text, short, number, time]);
  return <div ref={container} role="img" aria-label={label} />;
}
