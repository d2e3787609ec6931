/** Text as XML 1.0 can have it. */

/** As text or in quotes; XML has no way to write most control characters. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** As an attribute, where a line break would be read as a blank. */
export const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\r', '&#13;').replaceAll('\t', '&#9;')}"`;
