/** Carries the texts of the editor's language into a page: as a script block of JSON, which `l10n.ts` reads. */

export const TEXTS_ID = 'l10n';

/** The HTML of the block; empty without texts, when the page is English. `<` is escaped, so no text can end the block. */
export const textsBlock = (texts: Readonly<Record<string, string>> | undefined): string =>
  texts === undefined
    ? ''
    : `<script type="application/json" id="${TEXTS_ID}">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>\n`;
