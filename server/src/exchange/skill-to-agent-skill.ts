/** Converts a skill to a folder with a `SKILL.md`, which every client reads (docs/exchange.md, "To SKILL.md"). */

import type { Analysis } from '../analysis/analysis.ts';
import { formatNumber } from '../format-amounts.ts';
import { codeSpan } from '../languages/markdown/code-fences.ts';
import { formatJson, formatScalar } from '../languages/yaml/edit.ts';
import { isObject, type JsonObject } from '../languages/yaml/json-values.ts';
import { type Json, jsonOf, nodeAt } from '../languages/yaml/node.ts';
import { formatBlock } from '../languages/yaml/quote.ts';
import { listed } from '../nearest.ts';
import { checkedPackageOf } from '../rules/engine/checked-package.ts';
import { foldedPath, kebabName, namesProblem } from '../skill/kebab-name.ts';
import { ORIGIN_KEYS, originOf, sourceUri } from '../skill/origin.ts';
import { namedTool, type SkillPackage } from '../skill/package.ts';
import { readPackage } from '../skill/read-package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { linkTargets } from '../skill-folder/links.ts';
import type { Span } from '../text.ts';
import { knownAgentSkillKeys } from '../vocabulary/agent-skill-clients.ts';
import { agentSkillKeys } from '../vocabulary/agent-skill-keys.ts';
import { decoded, folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { type PageContext, pageOf } from './agent-skill-page.ts';
import {
  type Conversion,
  type LinkedFile,
  type Loss,
  type MissingSkill,
  NO_SPAN,
  type OutputFile,
} from './conversion.ts';
import { frontmatterValues } from './record.ts';

const MAX_DESCRIPTION = 1024;

/** `clients` are the IDs of the clients that read the result; undefined for the target clients of the catalog. */
export function skillToAgentSkill(file: SkillFile, analysis: Analysis, clients?: readonly string[]): Conversion {
  const [problem] = file.frontmatter.tree.broken ? file.frontmatter.tree.problems : [];
  if (problem) return { problem: `Its frontmatter does not parse: ${problem.message}`, span: problem.span };
  const skill = checkedPackageOf(analysis, file.uri) ?? alone(file);
  const head = frontmatterValues(file);
  if (typeof head.description !== 'string' || head.description.trim() === '') {
    return {
      problem: 'It has no `description`, which clients require. Write what the skill does and when to use it.',
    };
  }
  const written = skill.name?.name ?? nameFromUri(file.uri);
  const name = kebabName(written) ?? 'skill';
  const described = descriptionOf(head.description, head);
  const lost = described.lost.map((phrase) => lostTrigger(file, phrase));
  const length = [...described.text].length;
  if (length > MAX_DESCRIPTION) {
    const span = nodeAt(file.frontmatter.tree.root, ['description'])?.span ?? NO_SPAN;
    const why = `It has ${formatNumber(length)} characters; clients accept at most ${formatNumber(MAX_DESCRIPTION)}. Shorten it.`;
    lost.push({ what: 'end of the description', span, why });
  }
  if (written !== name) {
    const why = `Clients do not support this name. The folder and the skill are named \`${name}\`.`;
    lost.push({ what: `name \`${written}\``, span: skill.name?.span ?? NO_SPAN, why });
  }
  const tools = toolNames(analysis, file.uri, clients);
  const missing: MissingSkill[] = [];
  const composed = composedPackagesOf(skill, lost, missing);
  const names = new Set(composed.map(({ composedSkill }) => composedSkill.name?.name));
  const context = (folder: string, leave: PageContext['leave']): PageContext => ({
    toolName: (tool) => tools.get(tool)?.[0]?.name,
    linkTo: (other) => (names.has(other) ? `${folder}${fileOf(other)}` : undefined),
    leave,
  });
  const left = (what: string, span: Span): void => {
    lost.push({ what, span, why: 'It cannot be expressed in words, so it is copied unchanged.' });
  };
  // The tools of all pages are listed in the one `SKILL.md`.
  const used = new Map<string, Span>(skill.tools.map(({ name: tool, span }) => [tool, span]));
  for (const { composedSkill, span } of composed)
    for (const { name: tool } of composedSkill.tools) if (!used.has(tool)) used.set(tool, span);
  const mapped = new Set([...used.keys()].flatMap((tool) => (tools.get(tool) ?? []).map(({ name: one }) => one)));
  for (const [tool, span] of used) {
    const why = toolLoss(tools.get(tool) ?? [], clients);
    if (why !== undefined) lost.push({ what: `tool \`${tool}\``, span, why });
  }
  const kept = keysOfClients(head, mapped.size > 0);
  lost.push(...lostKeys(file, new Set(Object.keys(kept).map((key) => `x-${key}`))));
  const title = typeof head.title === 'string' ? head.title : (file.body?.title?.text ?? inTitle(name));
  const page = pageOf(
    skill,
    context('references/', (what, { name: artifact, span }) => left(`${what} in \`${artifact}\``, span)),
  );
  const text = `${headText(head, { name, description: described.text, tools: [...mapped], kept })}\n# ${title}\n\n${page}\n`;
  const pages = composed.map(({ composedSkill, span }): OutputFile => {
    const own = composedSkill.name?.name ?? '';
    const body = pageOf(
      composedSkill,
      context('', (what, { name: artifact }) => left(`${what} in \`${artifact}\` of \`${own}\``, span)),
    );
    return {
      path: `${name}/references/${fileOf(own)}`,
      text: `# ${inTitle(own)}\n\n${composedSkill.description ?? ''}\n\n${body}\n`,
      from: composedSkill.uri,
    };
  });
  const files = [{ path: `${name}/SKILL.md`, text }, ...pages];
  const linked = linkedFiles(analysis, file, `${name}/`);
  for (const { composedSkill, span } of composed) {
    const own = analysis.file(composedSkill.uri);
    if (own) linked.push(...linkedFiles(analysis, own, `${name}/references/`).map((one) => ({ ...one, span })));
  }
  /** The source of each file by its path; undefined for a page. */
  const sources = new Map<string, string | undefined>(files.map(({ path }) => [foldedPath(path), undefined]));
  const uncopied: LinkedFile[] = [];
  // A file that does not exist takes the path of no other file.
  const isThere = ({ from }: PageLink): boolean => analysis.exists(from) !== false;
  const copied = [...linked.filter(isThere), ...linked.filter((one) => !isThere(one))].filter((one) => {
    const { from, path, isCopied, folder, written, span } = one;
    const key = foldedPath(path);
    const isFree = isCopied && !sources.has(key);
    if (isFree) sources.set(key, from);
    if (!isThere(one)) return isFree;
    const why = `The text links to this file, but it is not copied. Copy it to the same path in \`${folder}\`.`;
    if (!isCopied || sources.get(key) !== from) {
      lost.push({ what: `file \`${written}\``, span, why });
      // A file outside the folder of its page has no path in the result.
      if (path !== folder) uncopied.push({ from, path, span });
    }
    return isFree;
  });
  return {
    files,
    ...(copied.length > 0 && { linked: copied.map(({ from, path, span }) => ({ from, path, span })) }),
    ...(uncopied.length > 0 && { uncopied }),
    ...(missing.length > 0 && { missing }),
    losses: lost.sort((a, b) => a.span.start - b.span.start),
  };
}

/** Reads a file that is not part of a workspace. */
const alone = (file: SkillFile): SkillPackage =>
  readPackage(file, {
    tool: namedTool,
    toolSkill: () => undefined,
    interruptNode: () => undefined,
    skill: () => 'missing',
    fallback: () => undefined,
    permission: undefined,
    faults: [],
  });

const fileOf = (skill: string): string => `${kebabName(skill) ?? 'part'}.md`;

const inTitle = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

interface ComposedPackage {
  readonly composedSkill: SkillPackage;
  /** The span of the entry in the source through which this skill is composed, directly or indirectly. */
  readonly span: Span;
}

/** Returns all skills that a skill composes, directly and indirectly, each once. Adds those that do not exist to `missing`. */
function composedPackagesOf(skill: SkillPackage, lost: Loss[], missing: MissingSkill[]): readonly ComposedPackage[] {
  const found = new Map<string, ComposedPackage>();
  const open: { readonly composedSkill: SkillPackage; readonly span: Span | undefined }[] = [
    { composedSkill: skill, span: undefined },
  ];
  for (const { composedSkill: one, span: above } of open) {
    for (const { name, span: own, package: composedSkill } of one.composes) {
      const span = above ?? own;
      if (typeof composedSkill === 'string') {
        const of = one === skill ? '' : ` in \`${one.name?.name ?? ''}\``;
        const why = composedSkill === 'missing' ? 'The workspace has no skill with this name.' : 'It composes itself.';
        lost.push({ what: `composed skill \`${name}\`${of}`, span, why });
        if (composedSkill === 'missing') missing.push({ name, span });
        continue;
      }
      const page = fileOf(name);
      const known = found.get(page);
      if (known && known.composedSkill.uri !== composedSkill.uri) {
        const why = `Another skill with this name already has the page \`${page}\`, and the steps link to that page.`;
        lost.push({ what: `composed skill \`${name}\``, span, why });
      }
      if (known || composedSkill.uri === skill.uri) continue;
      found.set(page, { composedSkill, span });
      open.push({ composedSkill, span });
    }
  }
  return [...found.values()];
}

/** The name of a tool of the catalog in a client. */
interface ToolName {
  readonly client: string;
  readonly name: string;
}

/** Returns the names that the target clients use for each tool of the catalog. */
function toolNames(
  analysis: Analysis,
  uri: string,
  clients: readonly string[] | undefined,
): ReadonlyMap<string, readonly ToolName[]> {
  const catalog = analysis.findCatalog(uri);
  const tree = catalog && analysis.file(catalog.uri)?.frontmatter.tree;
  const table = jsonOf(nodeAt(tree?.root, ['agent_skills', 'tools']));
  const names = new Map<string, readonly ToolName[]>();
  if (!isObject(table)) return names;
  const targets = clients ?? catalog?.agentSkills.clients;
  for (const [client, tools] of Object.entries(table)) {
    if (!isObject(tools) || (targets && !targets.includes(client))) continue;
    for (const [tool, name] of Object.entries(tools)) {
      if (typeof name === 'string') names.set(tool, [...(names.get(tool) ?? []), { client, name }]);
    }
  }
  return names;
}

/** Returns why one file cannot express a tool for all clients that read it; undefined if it can. */
function toolLoss(names: readonly ToolName[], clients: readonly string[] = []): string | undefined {
  const [first] = names;
  if (!first) {
    return 'The catalog has no client name for this tool, so only the text names it. Add the tool to `agent_skills.tools`.';
  }
  const without = clients.filter((id) => !names.some(({ client }) => client === id));
  if (without.length > 0) {
    return `The catalog has no name for this tool in ${listed(without.map(codeSpan))}, which also ${without.length === 1 ? 'reads' : 'read'} this file. Add it to \`agent_skills.tools\`.`;
  }
  if (clients.length === 0 || names.every(({ name }) => name === first.name)) return undefined;
  const all = listed(names.map(({ client, name }) => `${codeSpan(name)} in ${codeSpan(client)}`));
  return `Its name is ${all}. \`allowed-tools\` lists all names, and the text contains only the first.`;
}

interface HeadFields {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  /** The keys that the skill keeps for clients. */
  readonly kept: JsonObject;
}

/**
 * Returns the keys of a `SKILL.md` that the skill keeps with the prefix `x-`. With `hasTools`, mapped tools replace
 * `x-allowed-tools`.
 */
function keysOfClients(head: JsonObject, hasTools: boolean): JsonObject {
  const written = ['name', 'description', ...(typeof head.license === 'string' ? ['license'] : [])];
  const taken = new Set(hasTools ? [...written, 'allowed-tools'] : written);
  const names = [...knownAgentSkillKeys()].filter((name) => !taken.has(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = head[`x-${name}`];
      return value === undefined || value === null || (name === 'metadata' && !isObject(value)) ? [] : [[name, value]];
    }),
  );
}

function headText(head: JsonObject, { name, description, tools, kept }: HeadFields): string {
  const { metadata: own = {}, ...others } = kept;
  const metadata = ['version', 'author', 'owner', 'id'].flatMap((key): (readonly [string, Json])[] => {
    const value = head[key];
    return value === undefined || value === null ? [] : [[key, String(value)]];
  });
  const isFree = (key: string) => !ORIGIN_KEYS.has(key) && !metadata.some(([one]) => one === key);
  metadata.push(...Object.entries(own as JsonObject).filter(([key]) => isFree(key)));
  const written = Object.entries(others).map(([key, value]): [string, string] => {
    const yaml = formatBlock(value);
    return [key, `${yaml.startsWith('\n') ? '' : ' '}${yaml}`];
  });
  const values = new Map([
    ['name', ` ${name}`],
    ['description', ` ${formatScalar(description)}`],
    ...(typeof head.license === 'string' ? [['license', ` ${formatScalar(head.license)}`] as const] : []),
    ...written,
    ...(metadata.length > 0
      ? [
          [
            'metadata',
            metadata.map(([key, value]) => `\n  ${formatScalar(key, true)}: ${formatJson(value)}`).join(''),
          ] as const,
        ]
      : []),
    ...(tools.length > 0 ? [['allowed-tools', ` ${formatScalar(tools.join(' '))}`] as const] : []),
  ]);
  // The order of the formatter, which moves no key that it does not know.
  const names = new Set([...agentSkillKeys.map((key) => key.name), ...values.keys()]);
  const lines = [...names].flatMap((key) => (values.has(key) ? [`${key}:${values.get(key)}`] : []));
  return `---\n${lines.join('\n')}\n---\n`;
}

/**
 * Returns the description with as many triggers as fit, and the triggers that do not fit. Clients choose skills only by
 * their descriptions.
 */
function descriptionOf(
  description: string,
  head: JsonObject,
): { readonly text: string; readonly lost: readonly Trigger[] } {
  const said = description.trim().replace(/\s+/g, ' ');
  const phrases = TRIGGER_KEYS.flatMap((key): Trigger[] => {
    const list = head[key];
    return Array.isArray(list)
      ? list.flatMap((phrase, at) => (typeof phrase === 'string' ? [{ path: [key, at], phrase }] : []))
      : [];
  });
  let triggers = '';
  let text = said;
  for (const [at, { phrase }] of phrases.entries()) {
    triggers += `${triggers === '' ? '' : ', '}“${phrase.trim()}”`;
    const next = `${said}${/[.!?]$/.test(said) ? '' : '.'} Requests such as ${triggers}.`;
    if ([...next].length > MAX_DESCRIPTION) return { text, lost: phrases.slice(at) };
    text = next;
  }
  return { text, lost: [] };
}

const TRIGGER_KEYS = ['trigger_phrases', 'intent_patterns'];

interface Trigger {
  readonly path: readonly (string | number)[];
  readonly phrase: string;
}

const lostTrigger = ({ frontmatter: { tree } }: SkillFile, { path, phrase }: Trigger): Loss => ({
  what: `trigger \`${phrase}\``,
  span: nodeAt(tree.root, path)?.span ?? NO_SPAN,
  why: `The description would have more than ${formatNumber(MAX_DESCRIPTION)} characters.`,
});

interface PageLink extends LinkedFile {
  /** False if the file belongs to another skill, or has no place in the folder of the page. */
  readonly isCopied: boolean;
  readonly folder: string;
  /** The path in the link. */
  readonly written: string;
}

const SKILL_NAME = /(?:\.skill\.(?:md|ya?ml|json)|(?:^|\/)skill\.md)$/i;

/**
 * Returns whether a file is a skill, or in the folder of a converted `SKILL.md`. Such a file is never copied into the
 * folder of another skill.
 */
export function isOtherSkill(analysis: Analysis, uri: string): boolean {
  if (analysis.file(uri)?.isSkill || SKILL_NAME.test(decoded(uri))) return true;
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    const main = analysis.file(`${folder}/SKILL.md`);
    const origin = main && originOf(main);
    // The folder of a source contains originals.
    if (origin) return !sourceUri(main.uri, origin).startsWith(`${folder}/`);
  }
  return false;
}

/** Returns the files that a page links to, each once. `folder` is the page's folder. */
function linkedFiles(analysis: Analysis, file: SkillFile, folder: string): PageLink[] {
  const links = linkTargets(file);
  const first = links.filter(({ uri }, at) => links.findIndex((other) => other.uri === uri) === at);
  const base = `${folderOf(file.uri)}/`;
  return first.flatMap(({ uri, span, path: written }) => {
    const below = uri.startsWith(base) ? decoded(uri.slice(base.length)) : '';
    const isCopied = !isOtherSkill(analysis, uri) && namesProblem(below) === undefined;
    return [{ from: uri, path: `${folder}${below}`, span, isCopied, folder, written }];
  });
}

/** The keys that a `SKILL.md` expresses with other keys or in its text. */
const EXPRESSED_KEYS: ReadonlySet<string> = new Set(
  (
    'name id description version title author owner license intent_patterns trigger_phrases tools requires_tools ' +
    'input_schema parameter_schema input output_schema output interrupts exit framing composes execution level'
  ).split(' '),
);

function lostKeys({ frontmatter: { tree } }: SkillFile, kept: ReadonlySet<string>): readonly Loss[] {
  if (tree.root?.kind !== 'map') return [];
  return tree.root.entries.flatMap(({ key, span }): Loss[] => {
    const name = String(key.value);
    return EXPRESSED_KEYS.has(name) || kept.has(name)
      ? []
      : [{ what: name, span, why: 'A `SKILL.md` does not support this key.' }];
  });
}
