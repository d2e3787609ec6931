/** Converts a legacy package to a `.skill.md` (docs/format.md, section 8). */
import { formatNumber } from '../format-amounts.ts';
import { codeSpan } from '../languages/markdown/code-fences.ts';
import { formatJson, formatScalar } from '../languages/yaml/edit.ts';
import { asJson, isObject, type JsonObject } from '../languages/yaml/json-values.ts';
import { findValue, type Json, jsonOf, listItems, setProperty, type YamlNode } from '../languages/yaml/node.ts';
import { formatBlock } from '../languages/yaml/quote.ts';
import { listed } from '../nearest.ts';
import { kebabName } from '../skill/kebab-name.ts';
import { readArtifacts } from '../skill/read-package.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import type { Conversion, Loss } from './conversion.ts';
import { inferSchema } from './infer-schema.ts';
import { type LegacyArtifact, readPackageArtifacts, safeContent, sectionOf, usedName } from './legacy-package.ts';
import type { RecordArtifact } from './record.ts';
import { artifactText } from './record-body.ts';
import { findPatch, plainValues } from './skill-to-package.ts';

const MAX_DESCRIPTION = 1024;

export function packageToSkill(file: SkillFile): Conversion {
  const { tree } = file.frontmatter;
  const [problem] = tree.broken ? tree.problems : [];
  if (problem) return { problem: `Its JSON does not parse: ${problem.message}`, span: problem.span };
  const values = asJson(jsonOf(tree.root));
  const list = findValue(tree.root, 'artifacts');
  if (!isObject(values) || list?.kind !== 'list') {
    return { problem: 'It is not a package: it has no `artifacts` list.', span: (list ?? tree.root ?? tree).span };
  }
  const { kept, retired, unknown } = readPackageArtifacts(listItems(list));
  const lost = [...unknown, ...retired.map((one) => lostArtifact(one, kept))];
  const name =
    (typeof values.name === 'string' ? kebabName(values.name) : undefined) ??
    kebabName(nameFromUri(file.uri)) ??
    'skill';
  const head = headOf(values, name, { kept, retired }, lost, tree.root);
  const sections = sectionsOf(kept, lost);
  const framing = sections.hasTemplate ? '' : `${safeContent(String(values.description ?? values.name ?? name))}\n\n`;
  const title =
    typeof values.name === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(values.name)
      ? `# ${values.name}\n\n`
      : '';
  const body = `${title}${framing}${sections.text}`.trimEnd();
  const withoutPatch = `---\n${head}---\n\n${body}\n`;
  const patch = patchFor(withoutPatch, values, kept, retired.length + unknown.length > 0);
  const more = patch
    ? `# Data from the package that has no key in this format. Converting back restores it.\nx-package:${behindKey(patch)}\n`
    : '';
  return { files: [{ path: `${name}.skill.md`, text: `---\n${head}${more}---\n\n${body}\n` }], losses: lost };
}

const behindKey = (value: Json): string => {
  const yaml = formatBlock(value);
  return yaml.startsWith('\n') ? yaml : ` ${yaml}`;
};

/** Returns the data that converting back would lose; undefined if nothing would be lost. */
function patchFor(
  text: string,
  values: JsonObject,
  kept: readonly LegacyArtifact[],
  isShorter: boolean,
): JsonObject | undefined {
  const made = new SkillFile('file:///package.skill.md', text);
  const list = Array.isArray(values.artifacts) ? (values.artifacts as readonly Json[]) : [];
  const artifacts = [...kept].sort((a, b) => a.at - b.at).map(({ at }) => list[at] as Json);
  const places = new Map([...kept].sort((a, b) => a.at - b.at).map(({ at }, place) => [at, place]));
  const original = { ...values, artifacts: isShorter ? artifacts : list };
  const ids = readArtifacts(made).map(({ id }) => id);
  return findPatch(
    plainValues(made).values,
    original,
    ids,
    kept.map(({ at }) => places.get(at) as number),
  );
}

function lostArtifact({ kind, name, node, fallback }: LegacyArtifact, kept: readonly LegacyArtifact[]): Loss {
  const instead = kept.some((one) => one.kind === 'PromptTemplate' && one.name === fallback);
  const why =
    kind === 'dspy_module'
      ? `Skills cannot contain DSPy modules.${instead ? ` The fallback \`${fallback}\` replaces it.` : ''}`
      : 'Skills cannot contain code. Describe the steps in an Approach, and use a tool for the work.';
  return { what: `${kind} \`${name}\``, span: node.span, why };
}

interface SortedArtifacts {
  readonly kept: readonly LegacyArtifact[];
  readonly retired: readonly LegacyArtifact[];
}

/** Returns the lines of the frontmatter. */
function headOf(
  values: JsonObject,
  name: string,
  { kept, retired }: SortedArtifacts,
  lost: Loss[],
  root: YamlNode | undefined,
): string {
  const text = (key: string): string | undefined => (typeof values[key] === 'string' ? values[key] : undefined);
  const list = (key: string): readonly Json[] | undefined => {
    const value = values[key];
    return Array.isArray(value) && value.length > 0 ? (value as readonly Json[]) : undefined;
  };
  const templates = kept.filter(({ kind }) => kind === 'PromptTemplate');
  const framing = retired.find(({ fallback }) => templates.some((one) => one.name === fallback))?.fallback;
  const said = text('name');
  const entries: Record<string, Json> = { name };
  const add = (key: string, value: Json | undefined): void => {
    if (value !== undefined) setProperty(entries, key, value);
  };
  add('id', text('id'));
  const description = text('description') ?? said ?? name;
  const cut = cutDescription(description);
  if (cut !== description) {
    const span = findValue(root, 'description')?.span ?? { start: 0, end: 0 };
    lost.push({
      what: 'description',
      span,
      why: `It is longer than ${formatNumber(MAX_DESCRIPTION)} characters, so it is cut. \`x-package\` keeps the whole text.`,
    });
  }
  add('description', cut);
  add('version', text('version') ?? '1.0.0');
  if (said !== undefined && said !== name) add('title', said);
  add('author', text('author'));
  add('tags', list('tags'));
  const source = text('source');
  add('source', source === 'community' ? 'imported' : source === 'system' || source === 'user' ? source : undefined);
  add('intent_patterns', list('intent_patterns'));
  add('trigger_phrases', list('trigger_phrases'));
  const lines = Object.entries(entries).map(
    ([key, value]) => `${formatScalar(key, true)}:${isShort(key) ? ` ${formatJson(value)}` : behindKey(value)}\n`,
  );
  const schema = inferSchema(templates.map(({ content }) => content));
  const isInferred = Object.keys(schema).length > 0;
  const mark = '# Inferred from the templates. Check the types and which inputs are optional.\n';
  const first = framing ?? templates[0]?.name;
  const named =
    templates.length > 1 && first !== undefined
      ? `framing: ${formatScalar(usedName('PromptTemplate', first), true)}\n`
      : '';
  return [noteOf(retired), ...lines, `${isInferred ? mark : ''}input_schema:${behindKey(schema)}\n`, named].join('');
}

const isShort = (key: string): boolean => key === 'tags';

/** Returns a comment that lists the retired artifacts, which the conversion omits. */
function noteOf(retired: readonly LegacyArtifact[]): string {
  if (retired.length === 0) return '';
  const names = retired.map(({ kind, name }) => `${kind} ${codeSpan(name.replace(/\s+/g, ' '))}`);
  return `# Converted from a package. Artifacts of retired kinds were omitted: ${listed(names)}.\n`;
}

/** Shortens a description that is too long, at the end of a word. */
function cutDescription(text: string): string {
  const letters = [...text];
  if (letters.length <= MAX_DESCRIPTION) return text;
  return `${letters
    .slice(0, MAX_DESCRIPTION - 1)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}

function sectionsOf(
  kept: readonly LegacyArtifact[],
  lost: Loss[],
): { readonly text: string; readonly hasTemplate: boolean } {
  const taken = new Set<string>();
  const texts = kept.map((artifact) => {
    const section = sectionOf(artifact, taken);
    lost.push(...changesIn(artifact, section));
    return artifactText(section, '\n');
  });
  return { text: texts.join('\n'), hasTemplate: kept.some(({ kind }) => kind === 'PromptTemplate') };
}

/** Reports the name and the content of an artifact if the conversion changed them. */
function changesIn({ name, content, node, kind }: LegacyArtifact, section: RecordArtifact): readonly Loss[] {
  const changed = (key: string, what: string, why: string): Loss => ({
    what,
    span: (findValue(node, key) ?? node).span,
    why: `${why}. \`x-package\` keeps the original.`,
  });
  return [
    ...(section.name === name
      ? []
      : [changed('name', `name \`${name}\``, `The artifact is called \`${section.name}\` in the skill`)]),
    ...(kind === 'PromptTemplate' || section.content === content.trim()
      ? []
      : [changed('content', `content of \`${name}\``, 'Its Markdown would end its section, so it was rewritten')]),
  ];
}
