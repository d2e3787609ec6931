/** Completion: detects the context of the cursor. Each context has its own file. */
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { YamlTree } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, lineAt, lineEnd, span } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { keyTableOf } from '../client-file-keys.ts';
import type { Locate } from '../locate.ts';
import { offerInExample } from './data.ts';
import { offerHeading } from './headings.ts';
import { type CompletionClient, toItems } from './items.ts';
import { offerInJson, offerInPackage } from './legacy-package.ts';
import type { Cursor, Offer } from './proposal.ts';
import { offerAnchor, offerReference } from './references.ts';
import { offerSuppression } from './rule-names.ts';
import { offerNewFile, offerOnEmptyLine } from './snippets.ts';
import { offerInTemplate } from './template.ts';
import { offerInYaml } from './yaml.ts';

export function completion(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
  client?: CompletionClient,
): CompletionItem[] | CompletionList {
  const cursor: Cursor = { analysis, file, offset };
  const offer = offerFile(cursor);
  return offer ? toItems(cursor, offer, locate, client) : [];
}

function offerFile(cursor: Cursor): Offer | undefined {
  const whole = offerNewFile(cursor);
  const other = whole && cursor.file.dialect !== 'contract' ? undefined : findOffer(cursor);
  return whole && other ? { ...other, proposals: [...whole.proposals, ...other.proposals] } : (whole ?? other);
}

function findOffer(cursor: Cursor): Offer | undefined {
  const { file, offset } = cursor;
  if (file.dialect === 'package') return offerInPackage(cursor);
  if (file.dialect === 'plugin') return offerInJson(cursor, () => keyTableOf(file));
  const frontmatter = findFrontmatter(file, offset);
  if (frontmatter) return offerInYaml(cursor, frontmatter, keyTableOf(file));
  const anchor = offerAnchor(cursor);
  if (anchor) return anchor;
  if (file.dialect !== 'composer' || offset < file.frontmatter.bodyStart) return undefined;
  const metadata = findTouching(file.metadata, offset, ({ tree }) => tree.span);
  if (metadata) return offerInYaml(cursor, metadata.tree, artifactKeys[metadata.artifact.kind], metadata.artifact.kind);
  const example = findTouching(file.examples, offset, ({ tree }) => tree.span);
  if (example) return offerInExample(cursor, example);
  return (
    offerHeading(cursor) ??
    offerInTemplate(cursor) ??
    offerReference(cursor) ??
    offerOnEmptyLine(cursor) ??
    offerSuppression(cursor)
  );
}

/** A line that can be YAML, including a word that may become a key. */
const YAML_LINE = /^(?:[ \t]|["']?[\w$][^:]*:(?:[ \t]|$)|["']?[\w-]*$|-(?:[ \t]|$)|#|[\]}])/;

const MAX_LINES = 2_000;

/** Returns the frontmatter at an offset, even while it is being typed and has no closing fence or complete key. */
function findFrontmatter(file: SkillFile, offset: number): YamlTree | undefined {
  const { frontmatter, text, lines, dialect } = file;
  const { open, close, content, tree } = frontmatter;
  // The line of the closing fence has no completion.
  if ((open && close) || dialect === 'contract' || dialect === 'catalog') {
    return content.start <= offset && (close ? offset < content.end : offset <= content.end) ? tree : undefined;
  }
  if (!/^\uFEFF?---[ \t]*(?:\r|\n|$)/.test(text.slice(0, 200)) || offset < (lines[1] ?? Number.POSITIVE_INFINITY)) {
    return undefined;
  }
  const at = lineAt(lines, offset);
  if (at > MAX_LINES) return undefined;
  const isYaml = (line: number): boolean =>
    YAML_LINE.test(text.slice(lines[line], Math.min(lineEnd(text, lines, line), (lines[line] ?? 0) + 500)));
  for (let line = 1; line <= at; line++) if (!isYaml(line)) return undefined;
  let last = at;
  while (last + 1 < lines.length && last < MAX_LINES && isYaml(last + 1) && !isBlank(text, lines, last + 1)) last++;
  return { ...tree, span: span(lines[1] ?? 0, lineEnd(text, lines, last)) };
}

const isBlank = (text: string, lines: readonly number[], line: number): boolean =>
  text.slice(lines[line], lineEnd(text, lines, line)).trim() === '';
