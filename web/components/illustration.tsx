import classes from './illustration.module.css';

const pictures = {
  /** Still water behind a weir: nothing flows yet. */
  empty: (
    <>
      <path className={classes['water']} d="M8 62c9 0 9-6 18-6s9 6 18 6 9-6 18-6 9 6 18 6 9-6 18-6 9 6 14 6" />
      <path className={classes['outline']} d="M8 76c9 0 9-6 18-6s9 6 18 6 9-6 18-6 9 6 18 6 9-6 18-6 9 6 14 6" />
      <path className={classes['outline']} d="M34 46V22M60 46V16M86 46V22" />
    </>
  ),
  /** A path that ends. */
  lost: (
    <>
      <path className={classes['outline']} d="M14 72c16 0 16-18 30-18s10 14 24 14" strokeDasharray="2 7" />
      <circle className={classes['water']} cx="84" cy="38" r="20" />
      <path className={classes['water']} d="M77 32c0-9 14-9 14 0 0 5-7 5-7 11M84 50v.5" />
    </>
  ),
} as const;

/** Decorative picture of a page without content. */
export const Illustration = ({ picture }: { picture: keyof typeof pictures }) => (
  <svg className={classes['picture']} viewBox="0 0 120 90" width={120} height={90} aria-hidden="true">
    {pictures[picture]}
  </svg>
);
