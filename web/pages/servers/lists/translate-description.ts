type Texts = Readonly<Record<string, string>>;
type Described = { readonly id: string; readonly description: string };

type Translation = {
  readonly language: string;
  /** By id of the list. */
  readonly texts: Texts | undefined;
  /** The English texts that were translated. */
  readonly original: Texts | undefined;
};

/** The list with its description in this language. One that the operator has replaced stays as it is. */
export const translateDescription =
  ({ language, texts, original }: Translation) =>
  <List extends Described>(list: List): List & { readonly descriptionLanguage?: string } => {
    const description = texts?.[list.id];
    return description !== undefined && original?.[list.id] === list.description
      ? { ...list, description, descriptionLanguage: language }
      : list;
  };
