/** The result of one check of `weir doctor`. `advice` says what to do. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly advice?: string;
};

export const fine = (check: string, text: string): Finding => ({ check, state: 'ok', text });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'warning',
  text,
  advice,
});
export const problem = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'problem',
  text,
  advice,
});
