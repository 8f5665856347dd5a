const isSource = import.meta.url.endsWith('.ts');
const folder = isSource ? '/src/' : '/dist/';
const root = import.meta.url.slice(0, import.meta.url.lastIndexOf(folder) + folder.length);

/** The file that a thread starts from, by its path below `src` without extension. The build writes it to the same path below `dist`. */
export const threadFile = (path: string): URL => new URL(`${root}${path}.${isSource ? 'ts' : 'js'}`);

/** A data file by its path below `src`. The build copies it to the same path below `dist`. */
export const dataFile = (path: string): URL => new URL(root + path);
