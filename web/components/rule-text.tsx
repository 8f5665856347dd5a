/** A rule as it was written. */
export const RuleText = ({ rule }: { rule: string }) => (
  <code className="foreign-text" dir="ltr">
    {rule}
  </code>
);
