/** The npm packages that a program depends on, which say the frameworks that it may use (docs/clients.md, "Frameworks"). */

const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/**
 * Returns the names of the packages in a `package.json`.
 *
 * @param text the content of the file
 * @returns no names if the text is no JSON object
 */
export function dependenciesIn(text: string): readonly string[] {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return KINDS.flatMap((kind) => Object.keys((manifest as Readonly<Record<string, object>> | null)?.[kind] ?? {}));
  } catch {
    return [];
  }
}
