import 'uplot/dist/uPlot.min.css';
import './time-chart-canvas.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useFormat } from './format.tsx';
import type { TimeChartProps } from './time-chart.tsx';

const ink = { light: { line: '#e9ecef', text: '#495057' }, dark: { line: '#3b3b3b', text: '#b8b8b8' } };

const DAY_SECONDS = 86_400;
const dayOnly: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const timeOnly: Intl.DateTimeFormatOptions = { timeStyle: 'short' };

/** Below an axis there is little room: the day where one begins, the time of day elsewhere. */
function momentOn(seconds: number, step: number): Intl.DateTimeFormatOptions {
  const at = new Date(seconds * 1000);
  return step >= DAY_SECONDS || at.getHours() + at.getMinutes() === 0 ? dayOnly : timeOnly;
}

/** The drawing itself, on a canvas. */
export function TimeChartDrawing({ times, series, height = 220, label }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { line, text } = ink[useComputedColorScheme('light')];
  const { short, number, time } = useFormat();
  useEffect(() => {
    const frame = place.current;
    if (!frame) return;
    const grid = { stroke: line, width: 1 };
    const axis = { stroke: text, grid, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    const options: UPlot.Options = {
      width: frame.clientWidth,
      height,
      cursor: { drag: { x: false, y: false } },
      legend: { live: true },
      // While nobody points at a moment there is nothing to say of one.
      hooks: { setCursor: [({ root, cursor }) => root.toggleAttribute('data-pointed', cursor.idx != null)] },
      axes: [
        {
          ...axis,
          space: 64,
          grid: { show: false },
          values: (_plot, values, _axis, _space, step) => values.map((at) => time(at * 1000, momentOn(at, step))),
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
    const plot = new UPlot(options, [seconds, ...series.map(({ values }) => [...values])], frame);
    const sizes = new ResizeObserver(() => {
      if (frame.clientWidth !== plot.width) plot.setSize({ width: frame.clientWidth, height });
    });
    sizes.observe(frame);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [times, series, height, line, text, short, number, time]);
  return <div ref={place} role="img" aria-label={label} />;
}
