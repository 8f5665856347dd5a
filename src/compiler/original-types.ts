import type { Configuration, Source } from './configuration.ts';

// Types under the names of the original library. Their arrays can be changed, as there.

type Mutable<Type> = Type extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Mutable<Type[Key]> }
    : Type;

export type IConfiguration = Mutable<Configuration>;
export type ISource = Mutable<Source>;
export type SourceType = NonNullable<Source['type']>;
