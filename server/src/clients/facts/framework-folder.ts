/** The folder of skills that a program of a framework names (docs/clients.md, "Frameworks"). */

/**
 * A name in a path, except `.`, `..` and a drive such as `C:`, without white space around it. It has no look-ahead, which
 * the linear-time engine for patterns does not have.
 */
const PART = String.raw`(?:[^/\\\s.:](?:[^/\\:]*[^/\\\s:])?|\.[^/\\.:](?:[^/\\:]*[^/\\\s:])?|\.\.[^/\\:]*[^/\\\s:])`;

/** A regular expression for a folder below the folder in which a program runs. */
export const FRAMEWORK_FOLDER = String.raw`(?:\./)?${PART}(?:/${PART})*/?`;
