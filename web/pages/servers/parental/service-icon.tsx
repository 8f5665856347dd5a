/** What the service draws for a web service: its first path, and nothing else of what it sent. */
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
