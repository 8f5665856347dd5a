export const RuleText = ({ rule }: { rule: string }) => (
  <code className="untrusted-text" dir="ltr">
    {rule}
  </code>
);
