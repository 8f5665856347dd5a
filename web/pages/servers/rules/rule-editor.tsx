import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { createEditor, type RuleEditorView } from './create-editor.ts';
import classes from './rules.module.css';

type Props = {
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
};

export function RuleEditor({ text, label, isReadOnly, onChange }: Props) {
  const { t } = useTranslation('servers');
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<RuleEditorView>(undefined);
  const change = useRef(onChange);
  const first = useRef(text);
  useEffect(() => {
    change.current = onChange;
  }, [onChange]);
  useEffect(() => {
    const created = createEditor({
      parent: container.current!,
      text: first.current,
      label,
      isReadOnly,
      ignored: t('rules.ignored'),
      onChange: (text) => change.current(text),
    });
    editor.current = created;
    return () => {
      first.current = created.text();
      created.destroy();
    };
  }, [label, isReadOnly, t]);
  useEffect(() => editor.current?.setText(text), [text]);
  return <div ref={container} className={classes['editor']} />;
}
