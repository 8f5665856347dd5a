import type { Lines } from './lines/lines.ts';
import { compress } from './transformations/compress.ts';
import { convertToAscii } from './transformations/convert-to-ascii.ts';
import { deduplicate } from './transformations/deduplicate.ts';
import { insertFinalNewLine } from './transformations/insert-final-new-line.ts';
import { invertAllow } from './transformations/invert-allow.ts';
import { removeComments } from './transformations/remove-comments.ts';
import { removeEmptyLines } from './transformations/remove-empty-lines.ts';
import { removeModifiers } from './transformations/remove-modifiers.ts';
import type { Drop, Transformation } from './transformations/transformation.ts';
import { trimLines } from './transformations/trim-lines.ts';
import { validate } from './transformations/validate.ts';

// Transformations run in the order of this table, independent of the order in the configuration. Names become
// ASCII before any comparison; comments are removed before Compress so that they do not separate rules; modifiers are removed
// before a validator would reject the rule; duplicates are removed once all rules have their final form.
const table = {
  ConvertToAscii: convertToAscii,
  TrimLines: trimLines,
  RemoveComments: removeComments,
  Compress: compress,
  RemoveModifiers: removeModifiers,
  InvertAllow: invertAllow,
  Validate: validate({ allowIp: false, allowPublicSuffix: false }),
  ValidateAllowIp: validate({ allowIp: true, allowPublicSuffix: false }),
  ValidateAllowPublicSuffix: validate({ allowIp: false, allowPublicSuffix: true }),
  ValidateAllowIpAndPublicSuffix: validate({ allowIp: true, allowPublicSuffix: true }),
  Deduplicate: deduplicate,
  RemoveEmptyLines: removeEmptyLines,
  InsertFinalNewLine: insertFinalNewLine,
} as const satisfies Record<string, Transformation>;

export type TransformationName = keyof typeof table;
export const transformationNames = Object.keys(table) as readonly TransformationName[];
export const validatorNames = transformationNames.filter((name) => name.startsWith('Validate'));

/** The requested transformations, each once, in execution order. */
export const inOrder = (wanted: readonly TransformationName[]): readonly TransformationName[] =>
  transformationNames.filter((name) => wanted.includes(name));

export function runTransformation(name: TransformationName, lines: Lines, drop: Drop): void {
  table[name](lines, drop);
}
