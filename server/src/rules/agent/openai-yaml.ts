import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOf } from '../../analysis/targets.ts';
import { foldersIn } from '../../clients/matrix/subject.ts';
import { type OpenAiFault, readOpenAiSettings } from '../../clients/pipeline/openai-yaml.ts';
import { type Draft, type Fix, fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { mapEntries, nodeAt, type YamlEntry, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { decoded, folderOf, folderOfMisnamed } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_AGENTS } from './agent-findings.ts';
import { draftOfKey, misspeltKeysIn } from './misspelt-keys.ts';

/** A fault because of which Codex ignores the settings of a skill, or a misspelt key in them. */
export const openaiYaml: Rule = {
  name: 'openai-yaml',
  severity: 'error',
  ...ABOUT_AGENTS,
  dialects: ['openai'],
  readsBroken: true,
  *check(file, analysis) {
    const folder = folderOfMisnamed(file.uri);
    if (!isForCodex(folder ?? folderOf(folderOf(file.uri)), analysis)) return;
    if (folder !== undefined) {
      if (analysis.file(`${folder}/SKILL.md`)) yield draftOfPath(file, folder, analysis);
      return;
    }
    const { fault } = readOpenAiSettings(file.text);
    if (fault) yield draftOf(file, fault);
    else yield* misspeltKeys(file);
  },
};

/** Returns whether Codex is a target client of the skill, or no target clients are chosen. */
function isForCodex(folder: string, analysis: Analysis): boolean {
  const skill = `${folder}/SKILL.md`;
  const { clients, isChosen } = targetsOf(analysis, { uri: skill, folders: foldersIn(skill) });
  return !isChosen || clients.some(({ id }) => id === 'codex');
}

/** Reports a file that Codex does not read, with a fix that moves it. */
function draftOfPath(file: SkillFile, folder: string, analysis: Analysis): Draft {
  const to = `${folder}/agents/openai.yaml`;
  const isTaken = analysis.file(to) !== undefined;
  const isHiding = readOpenAiSettings(file.text).hides !== undefined && !isTaken;
  const path = decoded(file.uri.slice(folder.length + 1));
  return {
    span: mapEntries(file.frontmatter.tree.root)[0]?.key.span ?? span(0, 0),
    severity: 'warning',
    message: `Codex reads only \`agents/openai.yaml\`, not \`${path}\`${isHiding ? ', so that the model may call this skill' : ''}. ${isTaken ? 'Remove this file, or move its keys there.' : 'Move the file.'}`,
    fixes: isTaken
      ? []
      : [{ title: 'Move to `agents/openai.yaml`', safe: false, edits: [], moves: { from: file.uri, to } }],
  };
}

/** A file that hides the skill is ignored with the rest of its keys, so that the model may call the skill. */
function draftOf(file: SkillFile, fault: OpenAiFault): Draft {
  const { key, kind, span, expected } = fault;
  const isHiding = kind === 'yaml' ? hidesInText(file.text) : isMeantToHide(file.frontmatter.tree.root);
  const result = `Codex ignores this whole file${isHiding ? ', and offers the skill to its model' : ''}.`;
  const why =
    kind === 'yaml'
      ? 'The YAML is not valid.'
      : kind === 'duplicate-key'
        ? `\`${key}\` is written twice. Remove one.`
        : `${key === '' ? 'The file' : `\`${key}\``} must be ${expected}.`;
  return {
    span,
    severity: isHiding || kind === 'yaml' ? 'error' : 'warning',
    message: `${result} ${why}`,
    fixes: asBoolean(file, fault),
  };
}

/** Words that people write for `false`. */
const NO = /^(?:false|no|off|0)$/i;

/** Returns whether the keys are meant to hide the skill, also in another form than Codex accepts. */
function isMeantToHide(root: YamlNode | undefined): boolean {
  const policies = entriesNamed(root, 'policy').flatMap(({ value }) => (value.kind === 'list' ? value.items : [value]));
  return policies.some(
    (policy) =>
      entriesNamed(policy, 'allow_implicit_invocation').some(({ value }) =>
        wordsIn(value).some((word) => NO.test(word)),
      ) || entriesNamed(policy, 'products').some(({ value }) => isWithoutCodex(wordsIn(value))),
  );
}

const entriesNamed = (node: YamlNode | undefined, name: string): readonly YamlEntry[] =>
  mapEntries(node).filter(({ key }) => key.value === name);

/** Returns a scalar, or the scalars of a list, as texts. */
const wordsIn = (node: YamlNode): readonly string[] =>
  (node.kind === 'list' ? node.items : [node]).flatMap((one) =>
    one.kind === 'scalar' && one.value !== null ? [String(one.value)] : [],
  );

const isWithoutCodex = (products: readonly string[]): boolean =>
  products.length > 0 && !products.some((product) => /\bcodex\b/i.test(product));

/** As `isMeantToHide`, for YAML that is not valid: searches its lines without their comments. */
const hidesInText = (text: string): boolean =>
  text
    .split(/\r\n?|\n/)
    .some((line) => /^[^#]*\ballow_implicit_invocation["']?\s*:\s*["']?(?:false|no|off|0)\b/i.test(line));

/** Returns the fix that writes `"false"`, `no` or `0` as `false`. */
function asBoolean(file: SkillFile, { key, kind }: OpenAiFault): readonly Fix[] {
  const value = nodeAt(file.frontmatter.tree.root, key.split('.'));
  if (kind !== 'type' || key !== 'policy.allow_implicit_invocation' || value?.kind !== 'scalar') return [];
  const word = String(value.value).toLowerCase();
  const meant = /^(?:true|yes|on|1)$/.test(word) ? true : NO.test(word) ? false : undefined;
  return meant === undefined ? [] : fixHere(file, `Replace with \`${meant}\``, setScalar(file.text, value, meant));
}

/** The keys that Codex reads, by the key that contains them. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['interface', 'dependencies', 'policy']],
  ['policy', ['allow_implicit_invocation', 'products']],
  ['interface', ['display_name', 'short_description', 'icon_small', 'icon_large', 'brand_color', 'default_prompt']],
]);

function* misspeltKeys(file: SkillFile): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  for (const [path, known] of KEYS) {
    const map = path === '' ? root : nodeAt(root, [path]);
    const keysOfPolicy = path === '' ? (KEYS.get('policy') ?? []) : [];
    for (const { key } of mapEntries(map)) {
      const name = String(key.value);
      if (!keysOfPolicy.includes(name)) continue;
      yield {
        span: key.span,
        severity: 'warning',
        message: `\`${name}\` has no effect here. Write it under \`policy\`.`,
      };
    }
    for (const misspelt of misspeltKeysIn(map, known, { isElsewhere: (name) => keysOfPolicy.includes(name) }))
      yield { ...draftOfKey(file, map, misspelt), severity: 'warning' };
  }
}
