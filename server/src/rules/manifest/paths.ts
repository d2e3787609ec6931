/** The paths of components in the manifests of Claude Code (docs/format.md, section 9, "Plugins"). */
import {
  findEntry,
  findValue,
  listItems,
  mapEntries,
  stringOf,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { type Span, span } from '../../text.ts';
import { PATH_FORMS, type PathForm } from '../../vocabulary/manifests/claude-code.ts';

/** A string at a place for the path of a component. */
export interface ComponentPath {
  readonly key: string;
  readonly node: YamlScalar;
  readonly path: string;
  readonly form: PathForm;
}

/** A fault of a path, and the right path. */
export interface PathFault {
  /** The sentence without the consequence. */
  readonly what: string;
  /** The right path, if it is known. */
  readonly right?: string;
  /** True if `right` names the same file for every client. */
  readonly isSame?: boolean;
  /** Only the path is lost, not the whole plugin. */
  readonly losesPath?: boolean;
}

/** Returns the strings at places for paths of components, in a manifest or in an entry of a marketplace. */
export function componentPaths(owner: YamlNode | undefined): readonly ComponentPath[] {
  const experimental = findValue(owner, 'experimental');
  return [...PATH_FORMS].flatMap(([key, form]) =>
    [findValue(owner, key), findValue(experimental, key)].flatMap((value) =>
      pathNodes(key, value).flatMap((node) => {
        const path = stringOf(node);
        return path === undefined || node.kind !== 'scalar' ? [] : [{ key, node, path, form }];
      }),
    ),
  );
}

/** Returns the nodes that may be paths: the value, its items, or the sources of commands with names. */
function pathNodes(key: string, value: YamlNode | undefined): readonly YamlNode[] {
  if (value?.kind === 'list') return listItems(value);
  if (value?.kind !== 'map') return value ? [value] : [];
  return key === 'commands' ? mapEntries(value).flatMap((entry) => findEntry(entry.value, 'source')?.value ?? []) : [];
}

/** Returns the fault of a path; undefined if Claude Code reads it. A missing file is not a fault here. */
export function pathFault({ key, path, form, node }: ComponentPath): PathFault | undefined {
  if (form.mayBeBundle && (/^https?:/i.test(path) || /\.(?:mcpb|dxt)$/i.test(path))) return undefined;
  const own = `\`${key}\``;
  if (path.startsWith('.\\')) {
    return { what: `A path in ${own} must begin with \`./\`.`, right: path.replaceAll('\\', '/') };
  }
  // `broken-link` reports other backslashes.
  if (path.includes('\\') && !/^[a-z]:|^\\/i.test(path)) return undefined;
  if (path.trim() === '') return { what: `A path in ${own} is empty.` };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return { what: `A path in ${own} cannot be an address.` };
  if (/^(?:[a-z]:|[/\\~])/i.test(path)) return { what: `A path in ${own} cannot be absolute.` };
  const variable = /^\$\{CLAUDE_PLUGIN_ROOT\}\/?(?<rest>[^$]*)$/.exec(path)?.groups?.rest;
  if (variable !== undefined) {
    const right = `./${variable}`;
    const isRight = pathFault({ key, path: right, form, node }) === undefined;
    return { what: `${own} cannot contain variables.`, ...(isRight && { right, isSame: true }) };
  }
  if (path.split('/').includes('..')) {
    const isDotted = path.startsWith('./');
    return { what: `A path in ${own} cannot contain \`..\`.`, losesPath: isDotted };
  }
  if (/[$*?{}]/.test(path)) {
    const losesPath = path.startsWith('./') && path.endsWith(form.ending ?? '');
    return { what: `${own} cannot contain patterns or variables.`, losesPath };
  }
  const isRoot = path === '.' && form.isFolder;
  const dotted = isRoot || path.startsWith('./') ? path : `./${path.trim()}`;
  const file = form.isFolder ? /^(?<folder>.*)\/[^/]+\.md$/i.exec(dotted)?.groups : undefined;
  if (file) {
    const isSkill = /\/skill\.md$/i.test(dotted);
    return {
      what: `A path in ${own} must be a folder.`,
      ...(isSkill && { right: file.folder === '.' ? './' : file.folder }),
      losesPath: dotted === path,
    };
  }
  if (form.ending !== undefined && !path.endsWith(form.ending)) {
    return { what: `A path in ${own} must be a file that ends with \`${form.ending}\`.` };
  }
  if (dotted === path) return undefined;
  return { what: `A path in ${own} must begin with \`./\`.`, right: dotted, isSame: true };
}

/** Returns the span of a string without its quotes. */
export const insideQuotes = ({ span: whole, style }: YamlScalar): Span =>
  style === 'double' ? span(whole.start + 1, Math.max(whole.start + 1, whole.end - 1)) : whole;
