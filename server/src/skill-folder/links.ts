/** The files that a skill file links to, as URIs. Hosts check whether these files exist. */
import { findValue, listItems } from '../languages/yaml/node.ts';
import type { MarkdownFile } from '../skill/markdown-file.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../text.ts';
import { clientFileOf, decoded, folderOf, resolvePath } from '../vocabulary/dialect.ts';
import { manifestPaths } from './plugins.ts';

export { resolvePath } from '../vocabulary/dialect.ts';

export interface LinkTarget {
  readonly uri: string;
  /** The span of the link's address. */
  readonly span: Span;
  /** The path as written, without `#fragment`, `?query` and a variable for a folder, percent-decoded. */
  readonly path: string;
  /** The URI of the folder that a variable before the path names; undefined for a path relative to the file. */
  readonly base?: string;
}

/**
 * Returns the links with a relative path; for a catalog, the files specified by `from` in its `tools`. Omits addresses
 * with a scheme, anchors, absolute paths and paths in the home folder. Never throws.
 */
export const linkTargets = (file: MarkdownFile): readonly LinkTarget[] => file.derive(findLinkTargets);

function findLinkTargets(file: MarkdownFile): readonly LinkTarget[] {
  if (file instanceof SkillFile && file.dialect === 'catalog') return sourcesOf(file);
  if (file instanceof SkillFile && file.dialect === 'plugin') return manifestPaths(file);
  // Every link to a file contains `](` or `]:`. The body of a file without these strings need not be parsed.
  if (!file.text.includes('](') && !file.text.includes(']:')) return [];
  const folder = folderOf(file.uri);
  const targets: LinkTarget[] = [];
  for (const { kind, url, urlSpan } of file.links) {
    // `[Step 1]: [Text]` is a definition in Markdown, but the author means a line to fill in.
    if (kind === 'definition' && url.startsWith('[')) continue;
    const path = decoded(url.replace(/[?#].*$/s, ''));
    const [variable, name] = /^[$]\{CLAUDE_(SKILL_DIR|PLUGIN_ROOT)\}\//.exec(path) ?? [];
    const base = name === 'PLUGIN_ROOT' ? pluginOf(file) : file.dialect === 'agent-skill' ? folder : undefined;
    if (variable !== undefined && base !== undefined && sliceOf(file.text, urlSpan).startsWith(variable)) {
      const rest = path.slice(variable.length);
      const place = span(urlSpan.start + variable.length, urlSpan.end);
      if (rest !== '') targets.push({ uri: resolvePath(base, rest), span: place, path: rest, base });
      continue;
    }
    if (path === '' || /^(?:\/|~\/)/.test(path) || SCHEME.test(path)) continue;
    targets.push({ uri: resolvePath(folder, path), span: urlSpan, path });
  }
  return targets;
}

/** Returns the URI of the folder that is a plugin if a skill, an agent or a command belongs to one, by its path. */
export function pluginOf({ uri, dialect }: Pick<MarkdownFile, 'uri' | 'dialect'>): string | undefined {
  if (dialect === 'agent-skill') return /^(.*)\/skills\/[^/]+\/SKILL\.md$/.exec(uri)?.[1];
  const root = dialect === 'client-file' ? clientFileOf(uri)?.root : undefined;
  return root?.endsWith('/.claude') ? undefined : root;
}

/** A link with an anchor. */
export interface AnchorTarget {
  /** The target file; the file that contains the link if the address has no path. */
  readonly uri: string;
  /** Empty if the address has no path. */
  readonly path: string;
  /** The text after the `#`, percent-decoded. */
  readonly anchor: string;
  /** The span of the anchor, without the `#`. */
  readonly span: Span;
}

/**
 * Returns the links in the body whose address has an anchor, including links within the file, but no images or absolute
 * paths. Never throws.
 */
export function anchorTargets(file: MarkdownFile): readonly AnchorTarget[] {
  const folder = folderOf(file.uri);
  return file.links.flatMap(({ kind, url, urlSpan }) => {
    const source = sliceOf(file.text, urlSpan);
    const sign = source.indexOf('#');
    const path = decoded(url.replace(/[?#].*$/s, ''));
    if (sign < 0 || kind === 'image' || path.startsWith('/') || SCHEME.test(path)) return [];
    const place = span(urlSpan.start + sign + 1, urlSpan.end);
    const uri = path === '' ? file.uri : resolvePath(folder, path);
    return [{ uri, path, anchor: decoded(sliceOf(file.text, place)), span: place }];
  });
}

/**
 * Returns the links with an absolute path, or a path in a home folder. A path without a file extension is omitted: it
 * can be a command or a page of a website. Never throws.
 */
export function absoluteLinks(file: SkillFile): readonly Omit<LinkTarget, 'uri'>[] {
  return (file.body?.links ?? []).flatMap(({ url, urlSpan }) => {
    const path = decoded(url.replace(/[?#].*$/s, ''));
    const isAbsolute = /^(?:\/(?!\/)[^:]*\.[a-z]\w{0,7}$|~\/|[a-z]:[\\/]|file:)/i.test(path);
    return isAbsolute ? [{ path, span: urlSpan }] : [];
  });
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Returns the values of `from` in a catalog's tools (docs/format.md, section 6). */
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
