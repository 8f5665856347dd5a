/** A measured figure, and whether it meets its bar. */
export type Bar = { readonly what: string; readonly figure: string; readonly met: boolean };

export function showBars(bars: readonly Bar[]): void {
  console.table(
    Object.fromEntries(bars.map(({ what, figure, met }) => [what, { figure, bar: met ? 'met' : 'MISSED' }])),
  );
  if (bars.some(({ met }) => !met)) process.exitCode = 1;
}
