/** The sources of the plugins of a marketplace of Claude Code (docs/format.md, section 9, "Plugins"). */
import { findValue, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import type { Span } from '../../text.ts';
import { SOURCE_NEEDS } from '../../vocabulary/manifests/claude-code.ts';
import { insideQuotes } from './paths.ts';

export interface SourceFault {
  readonly span: Span;
  readonly what: string;
  /** The right source as JSON, if it is known. It replaces the whole source, or its kind if the kind is unknown. */
  readonly right?: string;
}

/** The place of the folder of bare names, `metadata.pluginRoot`; undefined if it is not set or names no folder inside. */
export function pluginRootIn(root: YamlNode | undefined): string | undefined {
  const written = stringOf(findValue(findValue(root, 'metadata'), 'pluginRoot'));
  if (written === undefined || /^[/\\~]|^[a-z]:/i.test(written)) return undefined;
  return written.split(/[/\\]/).includes('..') ? undefined : written;
}

/**
 * Returns the fault of a source. `base` is the folder of bare names, and `isMissing` returns whether a path from
 * the folder of the marketplace is known to be missing.
 */
export function sourceFault(
  source: YamlNode | undefined,
  base: string | undefined,
  isMissing: (path: string) => boolean,
): SourceFault | undefined {
  if (source?.kind === 'map') return objectFault(source);
  const written = stringOf(source);
  if (source?.kind !== 'scalar' || written === undefined) return undefined;
  const span = insideQuotes(source);
  if (written.startsWith('.\\')) {
    return { span, what: 'A source must begin with `./`.', right: JSON.stringify(written.replaceAll('\\', '/')) };
  }
  // `broken-link` reports other backslashes.
  if (written.includes('\\') && !/^[a-z]:/i.test(written)) return undefined;
  const what = textFault(written, base);
  if (what === undefined) return undefined;
  const right = rightSource(written, isMissing);
  return { span, what, ...(right !== undefined && { right }) };
}

function textFault(path: string, base: string | undefined): string | undefined {
  if (path === '') return 'The source is empty.';
  if (path.split('/').includes('..')) return 'A source cannot contain `..`.';
  if (path === '.' || path.startsWith('./')) return undefined;
  if (base !== undefined && /^[a-z0-9][-a-z0-9._]*$/i.test(path)) return undefined;
  return isAddress(path)
    ? 'A source that is a text must be a path that begins with `./`.'
    : 'A source must begin with `./`.';
}

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\/|^[^@\s/]+@[^:\s]+:/i.test(text);

function rightSource(path: string, isMissing: (path: string) => boolean): string | undefined {
  if (isAddress(path)) return `{"source": "url", "url": ${JSON.stringify(path)}}`;
  if (path.trim() === '' || /^[/~.]|^[a-z]:|[*?${}<>@:]/i.test(path) || path.split('/').includes('..'))
    return undefined;
  const isRepository = /^[\w.-]+\/[\w.-]+$/.test(path) && isMissing(path);
  return isRepository ? `{"source": "github", "repo": ${JSON.stringify(path)}}` : JSON.stringify(`./${path}`);
}

function objectFault(source: YamlNode): SourceFault | undefined {
  const node = findValue(source, 'source');
  const kind = stringOf(node);
  // The shape of the manifest reports a missing kind.
  if (node?.kind !== 'scalar' || kind === undefined) return undefined;
  const kinds = [...SOURCE_NEEDS.keys()];
  const needs = SOURCE_NEEDS.get(kind);
  if (!needs) {
    const [near] = kind === 'git' ? ['url'] : nearestNames(kind, kinds);
    const advice = near === undefined ? ` Write ${inWords(kinds, 'or')}.` : didYouMean([near]);
    const what = `Unknown kind of source \`${kind}\`.${advice}`;
    return { span: node.span, what, ...(near !== undefined && { right: JSON.stringify(near) }) };
  }
  const missing = needs.filter((key) => stringOf(findValue(source, key)) === undefined);
  if (missing.length > 0) {
    return { span: node.span, what: `A source of the kind \`${kind}\` needs ${inWords(missing, 'and')}.` };
  }
  const url = stringOf(findValue(source, 'url'));
  const address = findValue(source, 'url');
  return kind === 'archive' && url !== undefined && address && !/^https:\/\//i.test(url)
    ? { span: address.span, what: 'The address of an archive must begin with `https://`.' }
    : undefined;
}
