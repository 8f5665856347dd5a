/** Draws only the first path of the service's SVG, so that no other markup is inserted. */
export function ServiceIcon({ svg }: { svg: string }) {
  const path = /<path d="([^"<>]*)"/.exec(svg)?.[1];
  if (path === undefined) return null;
  const isLine = svg.includes('stroke="currentColor"');
  return (
    <svg
      width={22}
      height={22}
      viewBox="0 0 24 24"
      aria-hidden
      fill={isLine ? 'none' : 'currentColor'}
      {...(isLine && { stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round', strokeLinejoin: 'round' })}
    >
      <path d={path} />
    </svg>
  );
}
