import { Switch } from '@mantine/core';
import { notifyWithUndo } from './notify.tsx';
import { useAction } from './use-action.ts';
import { useMayChange } from './use-can-edit.ts';

type Props = {
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => Promise<void>;
  /** What is said once it is done. */
  readonly said: (isOn: boolean) => string;
  /** For screen readers, where no label is seen. */
  readonly name: string;
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
};

/** Holds at once; whoever slipped can take it back. */
export function UndoableSwitch({ isOn, set, said, name, label, hint }: Props) {
  const mayChange = useMayChange();
  const undoing = useAction(set);
  const switching = useAction(set, {
    onDone: (_, now) => notifyWithUndo(said(now), () => undoing.mutate(!now)),
  });
  return (
    <Switch
      checked={switching.isPending ? switching.variables : isOn}
      disabled={!mayChange}
      {...(label === undefined ? { 'aria-label': name } : { label, description: hint })}
      onChange={(event) => switching.mutate(event.currentTarget.checked)}
    />
  );
}
