/** The files that a skill file links to, as URIs; hosts find out whether they exist. */
import { findValue, listItems } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../text.ts';
import { decoded, folderOf } from '../vocabulary/dialect.ts';

export interface LinkTarget {
  readonly uri: string;
  /** The link's address as written. */
  readonly span: Span;
  /** The path as written, without `#fragment` and `?query`, percent-decoded. */
  readonly path: string;
}

/**
 * Links to files by relative paths, and the files that a catalog takes tools from. Addresses with a scheme, anchors,
 * absolute paths and those of the home folder are left out.
 */
export const linkTargets = (file: SkillFile): readonly LinkTarget[] => file.derive(findLinkTargets);

function findLinkTargets(file: SkillFile): readonly LinkTarget[] {
  if (file.dialect === 'catalog') return sourcesOf(file);
  // Every link to a file has one of these; without any, the body need not be parsed.
  if (!file.text.includes('](') && !file.text.includes(']:')) return [];
  const folder = folderOf(file.uri);
  const targets: LinkTarget[] = [];
  for (const { kind, url, urlSpan } of file.body?.links ?? []) {
    // `[Step 1]: [Text]` is a definition to Markdown, and a line to fill in to its author.
    if (kind === 'definition' && url.startsWith('[')) continue;
    const path = decoded(url.replace(/[?#].*$/s, ''));
    if (path === '' || /^(?:\/|~\/)/.test(path) || SCHEME.test(path)) continue;
    targets.push({ uri: resolvePath(folder, path), span: urlSpan, path });
  }
  return targets;
}

/** A link to a place within a file. */
export interface AnchorTarget {
  /** The file; the one with the link where the address has no path. */
  readonly uri: string;
  /** Empty where the address has none. */
  readonly path: string;
  /** What stands behind the `#`, percent-decoded. */
  readonly anchor: string;
  /** The same as written. */
  readonly span: Span;
}

/** The links of a body that end with an anchor, those within the file among them. */
export function anchorTargets(file: SkillFile): readonly AnchorTarget[] {
  const folder = folderOf(file.uri);
  return (file.body?.links ?? []).flatMap(({ kind, url, urlSpan }) => {
    const source = sliceOf(file.text, urlSpan);
    const sign = source.indexOf('#');
    const path = decoded(url.replace(/[?#].*$/s, ''));
    if (sign < 0 || kind === 'image' || path.startsWith('/') || SCHEME.test(path)) return [];
    const place = span(urlSpan.start + sign + 1, urlSpan.end);
    const uri = path === '' ? file.uri : resolvePath(folder, path);
    return [{ uri, path, anchor: decoded(sliceOf(file.text, place)), span: place }];
  });
}

/** Links to files by absolute paths, or from a home folder. Without an ending one may be a command, or a page of a site. */
export function absoluteLinks(file: SkillFile): readonly Omit<LinkTarget, 'uri'>[] {
  return (file.body?.links ?? []).flatMap(({ url, urlSpan }) => {
    const path = decoded(url.replace(/[?#].*$/s, ''));
    const isAbsolute = /^(?:\/(?!\/)[^:]*\.[a-z]\w{0,7}$|~\/|[a-z]:[\\/]|file:)/i.test(path);
    return isAbsolute ? [{ path, span: urlSpan }] : [];
  });
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The `from:` of a catalog's tools (docs/format.md, section 6). */
function sourcesOf({ uri, frontmatter }: SkillFile): readonly LinkTarget[] {
  return listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((item) => {
    const from = findValue(item, 'from');
    if (from?.kind !== 'scalar' || typeof from.value !== 'string') return [];
    const path = from.value;
    if (path.trim() === '' || /^(?:[a-z][a-z0-9+.-]*:|[/\\~])/i.test(path)) return [];
    const quotes = from.style === 'single' || from.style === 'double' ? 1 : 0;
    return [
      { uri: resolvePath(folderOf(uri), path), span: span(from.span.start + quotes, from.span.end - quotes), path },
    ];
  });
}

/** A relative path, read from a folder's URI; `..` above the root stays at the root. */
export function resolvePath(folder: string, path: string): string {
  const root = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(folder)?.[0] ?? '';
  const parts = folder.slice(root.length).split('/');
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.length = Math.max(1, parts.length - 1);
    else if (part !== '.' && part !== '') parts.push(encoded(part));
  }
  return root + parts.join('/');
}

/** One half of a surrogate pair has no encoding. */
const encoded = (part: string): string =>
  encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('%40', '@');
