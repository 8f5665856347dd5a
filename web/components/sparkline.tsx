const WIDTH = 100;
const HEIGHT = 28;

/** The course of a value without axes; the number beside it says what it is. */
export function Sparkline({ values, colour }: { values: readonly number[]; colour: 'accent' | 'blocked' }) {
  const largest = Math.max(1e-9, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 1 - (value / largest) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height={HEIGHT} preserveAspectRatio="none" aria-hidden>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={`var(--graphic-${colour})`}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
