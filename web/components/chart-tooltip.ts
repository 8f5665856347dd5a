import type UPlot from 'uplot';

type Content = {
  readonly title: string;
  readonly lines: readonly { readonly colour: string; readonly text: string }[];
  /** Empty without one. */
  readonly note: string;
};

const GAP_PX = 12;

/** A box with the values at the pointer, for the hooks of a plot. */
export function chartTooltip(contentAt: (index: number) => Content) {
  const box = document.createElement('div');
  box.className = 'chart-tooltip';
  box.hidden = true;
  const line = (text: string, className: string): HTMLElement => {
    const element = document.createElement('div');
    element.className = className;
    element.textContent = text;
    return element;
  };
  const draw = (index: number): void => {
    const { title, lines, note } = contentAt(index);
    const rows = lines.map(({ colour, text }) => {
      const row = line(text, 'chart-tooltip-line');
      row.style.setProperty('--series-colour', colour);
      return row;
    });
    box.replaceChildren(
      line(title, 'chart-tooltip-title'),
      ...rows,
      ...(note === '' ? [] : [line(note, 'chart-tooltip-note')]),
    );
  };
  return {
    attach: ({ over }: UPlot): void => over.append(box),
    move: ({ cursor, over }: UPlot): void => {
      const { idx, left = -1 } = cursor;
      box.hidden = idx == null || left < 0;
      if (idx == null || box.hidden) return;
      draw(idx);
      const isLeftHalf = left < over.clientWidth / 2;
      box.style.left = isLeftHalf ? `${left + GAP_PX}px` : '';
      box.style.right = isLeftHalf ? '' : `${over.clientWidth - left + GAP_PX}px`;
    },
  };
}
