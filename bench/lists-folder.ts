/** The folder of real lists. Without one, prints that generated lists are used. */
export function listsFolder(flag: string | undefined): string | undefined {
  const folder = flag ?? process.env['WEIR_TEST_LISTS'];
  if (folder === undefined) console.log(`No real lists: ${howToName}`);
  return folder;
}

export const howToName = 'name their folder with --lists FOLDER, or in WEIR_TEST_LISTS';
