/**
 * Renames the symbol under the cursor in all files with one edit, or returns the reason for a refusal. The outputs that
 * are recorded in files beside the skill change too (docs/testing.md).
 */
import type { Range } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import type { FileEdits } from '../../finding.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import { parseJson } from '../../languages/yaml/json.ts';
import { findValue, type YamlNode } from '../../languages/yaml/node.ts';
import { allStages } from '../../skill/body.ts';
import { isStepName } from '../../skill/execution/name-problems.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineStartsOf, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { NO_CATALOG } from '../../workspace/catalog.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import type { Locate, Located } from '../locate.ts';
import { catalogAt, namesOf, type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import { isParameter, textOf } from '../symbol/schema-place.ts';
import type { LocalTarget, SymbolTarget } from '../symbol/target.ts';
import { planField, refuseField, refuseFieldName } from './field.ts';
import { movesOf, movesOfAgent, refuseSkill, refuseSkillName } from './moved-files.ts';
import {
  findNewVersions,
  isRefusal,
  type Plan,
  planEdits,
  quotedFileName,
  type RenameClient,
  type Renamed,
  type RenameRefusal,
  refuse,
  refuseIdentifier,
  toWorkspaceEdit,
  uncheckedIn,
  verifyPlan,
} from './plan.ts';

export type { RenameClient, RenameRefusal } from './plan.ts';
export { isRefusal } from './plan.ts';

/** Returns the range and the text of the name under the cursor, or a refusal if it cannot be renamed. */
export function prepareRename(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
): { readonly range: Range; readonly placeholder: string } | RenameRefusal {
  const here = targetAt(analysis, file, offset);
  if (!here) return refuse('This text is not a name that can be renamed.');
  const refusal = refuseTarget(analysis, file, here.target);
  return refusal ?? { range: locate.range(file, here.span), placeholder: sliceOf(file.text, here.span) };
}

/**
 * Returns the edits of a rename. `recorded` contains the recorded outputs of the skill, in which a field of the output
 * is renamed, too. The new versions of changed contracts are annotated edits that need confirmation, if the client
 * supports annotations (docs/format.md, section 4, "Breaking changes").
 */
export function rename(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  newName: string,
  locate: Locate,
  client: RenameClient,
  recorded: readonly RecordedOutput[] = [],
): Renamed | RenameRefusal {
  const planned = planWithOccurrences(analysis, file, offset, newName);
  if (isRefusal(planned)) return planned;
  const { plan, target, occurrences } = planned;
  const path = recorded.length > 0 ? outputFieldAt(analysis, file, offset)?.path : undefined;
  const outputs = path ? recorded.flatMap((output) => editsOfRecorded(output, path, newName) ?? []) : [];
  const textOf = (uri: string): Located | undefined => {
    const text = recorded.find((output) => output.uri === uri)?.text;
    return text === undefined ? undefined : { text, lines: lineStartsOf(text) };
  };
  const whole = { ...plan, edits: [...plan.edits, ...outputs] };
  const versions = client.annotations ? findNewVersions(analysis, plan, target) : undefined;
  return {
    edit: toWorkspaceEdit(analysis, file.uri, whole, `Rename to ${newName}`, locate, client, textOf, versions),
    ...{ name: target.name, newName, isOfSkill: target.kind === 'skill', moves: plan.moves, occurrences },
    unchecked: uncheckedIn(plan),
  };
}

/** Returns a rename as a plan that can be applied without an editor. */
export function planRename(analysis: Analysis, file: SkillFile, offset: number, newName: string): Plan | RenameRefusal {
  const planned = planWithOccurrences(analysis, file, offset, newName);
  return isRefusal(planned) ? planned : planned.plan;
}

interface Planned {
  readonly plan: Plan;
  readonly target: SymbolTarget;
  readonly occurrences: readonly Occurrence[];
}

function planWithOccurrences(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  newName: string,
): Planned | RenameRefusal {
  const here = targetAt(analysis, file, offset);
  if (!here) return refuse('This text is not a name that can be renamed.');
  const { target } = here;
  if (newName === target.name) return { plan: { edits: [], moves: [], remapped: [] }, target, occurrences: [] };
  const refusal = refuseTarget(analysis, file, target);
  if (refusal) return refusal;
  const occurrences = occurrencesOf(analysis, target);
  const plan = planTarget(analysis, file, target, newName, occurrences);
  if (isRefusal(plan)) return plan;
  return verifyPlan(analysis, plan, target, occurrences, newName) ?? { plan, target, occurrences };
}

function refuseTarget(analysis: Analysis, file: SkillFile, target: SymbolTarget): RenameRefusal | undefined {
  if (analysis.partial) return refuse('The workspace is still being read. Try again in a moment.');
  switch (target.kind) {
    case 'skill':
      return refuseSkill(analysis, target.name);
    case 'agent':
      return refuseAgent(analysis, target.uri);
    case 'catalog':
      return refuseCatalogName(analysis, target);
    case 'artifact':
      return refuseArtifact(file, target);
    case 'step':
      return refuseStep(file, target.name);
    case 'stage':
      return refuseStage(file, target.name);
    case 'flow':
      return undefined;
    case 'field':
      return refuseField(analysis.file(target.uri) ?? file, target);
    case 'local':
      return refuseLocal(file, target);
  }
}

function planTarget(
  analysis: Analysis,
  file: SkillFile,
  target: SymbolTarget,
  newName: string,
  occurrences: readonly Occurrence[],
): Plan | RenameRefusal {
  if (target.kind === 'field') {
    const home = analysis.file(target.uri) ?? file;
    return (
      refuseFieldName(home, target, newName, occurrences) ?? planField(analysis, home, target, newName, occurrences)
    );
  }
  if (target.kind === 'flow') {
    return refuseFlowName(file, newName) ?? planField(analysis, file, target, newName, occurrences);
  }
  const refusal = refuseNewName(analysis, file, target, newName);
  const plan = refusal ?? planEdits(occurrences, newName);
  if (isRefusal(plan) || (target.kind !== 'skill' && target.kind !== 'agent')) return plan;
  const moves = target.kind === 'agent' ? movesOfAgent(analysis, target, newName) : movesOf(analysis, target, newName);
  return isRefusal(moves) ? moves : { ...plan, moves };
}

function refuseNewName(
  analysis: Analysis,
  file: SkillFile,
  target: Exclude<SymbolTarget, { kind: 'field' | 'flow' }>,
  newName: string,
): RenameRefusal | undefined {
  switch (target.kind) {
    case 'skill':
      return refuseSkillName(analysis, newName);
    case 'agent':
      return refuseAgentName(analysis, target.uri, newName);
    case 'catalog':
      return refuseNewCatalogName(analysis, target, newName);
    case 'artifact':
      return refuseArtifactName(file, target, newName);
    case 'step':
      return refuseStepName(file, newName);
    case 'stage':
      return refuseStageName(file, newName);
    case 'local':
      return refuseLocalName(file, newName);
  }
}

// The name of an agent occurs in its file, and in the `agent` of skills and commands.

function refuseAgent(analysis: Analysis, uri: string): RenameRefusal | undefined {
  const name = findValue(analysis.file(uri)?.frontmatter.tree.root, 'name');
  return name ? undefined : refuse('This agent has the name of its file. Rename the file, or add `name` to it.');
}

/** Claude Code does not load an agent with a colon in its name (docs/clients.md, "Agents"). */
function refuseAgentName(analysis: Analysis, uri: string, newName: string): RenameRefusal | undefined {
  if (!/^[\p{L}\d][\p{L}\d ._-]*$/u.test(newName) || newName.endsWith(' '))
    return refuse(`\`${newName}\` is not a valid name of an agent. Use only letters, digits and hyphens.`);
  const own = analysis.index.agents.get(uri);
  const other = [...analysis.index.agents].find(
    ([one, { name, root }]) => one !== uri && name === newName && root === own?.root,
  );
  return other && refuse(`The agent \`${newName}\` already exists. Choose another name.`);
}

// Artifact names occur in headings, `framing`, includes and `#artifact:`.

type ArtifactTarget = SymbolTarget & { kind: 'artifact' };

const artifactsNamed = ({ body }: SkillFile, name: string) =>
  (body?.artifacts ?? []).filter((one) => one.name === name);

function refuseArtifact(file: SkillFile, { name, artifactKind }: ArtifactTarget): RenameRefusal | undefined {
  const all = artifactsNamed(file, name);
  const own = all.filter(({ kind }) => !artifactKind || kind === artifactKind);
  if (own.length === 0) return refuse(`Unknown artifact \`${name}\` in this file. Create it, or correct the name.`);
  const nameless = own.find(({ nameSpan }) => !nameSpan);
  if (nameless) return refuse(`\`## ${nameless.kind}\` has no name. Add one first: \`## ${nameless.kind}: …\`.`);
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const isMentioned = file.body?.references.some((one) => one.kind === 'artifact' && one.name === name) === true;
  if (kinds.length < 2 || (!isMentioned && artifactKind)) return undefined;
  return refuse(
    `\`#artifact:${name}\` is ambiguous: ${kinds.map((kind) => `\`## ${kind}: ${name}\``).join(', ')}. Give these artifacts different names by hand.`,
  );
}

function refuseArtifactName(
  file: SkillFile,
  { artifactKind }: ArtifactTarget,
  newName: string,
): RenameRefusal | undefined {
  if (newName !== newName.trim() || newName === '' || /[\r\n"'\\`#]/.test(newName)) {
    return refuse(
      `\`${newName}\` is not a valid artifact name. Use one line without quotes, backticks, backslashes or \`#\`.`,
    );
  }
  const other = artifactsNamed(file, newName).find(({ kind }) => !artifactKind || kind === artifactKind);
  return other && refuse(`The ${other.kind} \`${newName}\` already exists. Choose another name.`);
}

// Names that a catalog declares: tools, scopes, roles, profiles, interrupts, effects, models and so on.

type CatalogName = SymbolTarget & { kind: 'catalog' };

function refuseCatalogName(analysis: Analysis, { catalog, domain, name }: CatalogName): RenameRefusal | undefined {
  const known = namesOf(catalogAt(analysis, catalog) ?? NO_CATALOG, domain)?.get(name);
  if (!known || known.span) return undefined;
  return known.uri === undefined
    ? refuse(`The ${domain} \`${name}\` is defined by the format and cannot be renamed.`)
    : refuse(
        `\`${name}\` comes from a server through \`${SNAPSHOT_NAME}\`. Rename the tool on the server and refresh the snapshot.`,
      );
}

/** The pattern for all names except scopes. */
const WORD = /^[\p{L}\d_][\p{L}\d_.:/-]*$/u;
const SCOPE = /^[^\s:]+:[^\s:]+$/;

function refuseNewCatalogName(
  analysis: Analysis,
  { catalog, domain }: CatalogName,
  newName: string,
): RenameRefusal | undefined {
  if (domain === 'scope' && !SCOPE.test(newName)) {
    return refuse(`\`${newName}\` is not a valid scope. Write \`verb:resource\`, for example \`read:pages\`.`);
  }
  if (!WORD.test(newName)) {
    return refuse(
      `\`${newName}\` is not a valid ${domain} name. Use only letters, digits, \`_\`, \`-\`, \`.\`, \`:\` and \`/\`.`,
    );
  }
  const known = namesOf(catalogAt(analysis, catalog) ?? NO_CATALOG, domain)?.get(newName);
  if (known) {
    const where = known.uri ? `already exists in ${quotedFileName(known.uri)}` : 'is defined by the format';
    return refuse(`The ${domain} \`${newName}\` ${where}. Choose another name.`);
  }
  return domain === 'tool' && analysis.graph.tools.has(newName)
    ? refuse(`The contract \`${newName}\` already exists and is also a tool. Choose another name.`)
    : undefined;
}

// Steps that `as` names, and values that mappings pass between steps.

const NAME = /^[A-Za-z_][\w-]*$/;

function refuseStep({ contract }: SkillFile, name: string): RenameRefusal | undefined {
  const isStep = contract.composes.some(({ as }) => as?.name === name);
  return isStep
    ? undefined
    : refuse(`Unknown step \`${name}\`: no entry of \`composes\` has this name. Correct the name.`);
}

function refuseStepName({ contract }: SkillFile, newName: string): RenameRefusal | undefined {
  if (!isStepName(newName)) {
    return refuse(
      `\`${newName}\` is not a valid step name. Begin with a letter, and use only letters, digits, \`_\` and \`-\`; \`input\` is reserved.`,
    );
  }
  return contract.composes.some(({ step }) => step === newName)
    ? refuse(`The step \`${newName}\` already exists. Choose another name.`)
    : undefined;
}

// Stages of an Approach occur in the body, and in the expected paths of samples.

const stagesIn = ({ text, body }: SkillFile) => (body ? allStages(text, body) : []);

function refuseStage(file: SkillFile, name: string): RenameRefusal | undefined {
  const own = stagesIn(file).filter((stage) => stage.name === name);
  if (own.length === 0) return refuse(`Unknown stage \`${name}\`: no Approach has this stage. Correct the name.`);
  return own.every(({ nameSpan }) => sliceOf(file.text, nameSpan) === name)
    ? undefined
    : refuse(`The name of the stage \`${name}\` contains formatting. Rename it by hand.`);
}

function refuseStageName(file: SkillFile, newName: string): RenameRefusal | undefined {
  if (newName !== newName.trim() || newName === '' || /[\r\n"'\\`#*_<[]/.test(newName)) {
    return refuse(`\`${newName}\` is not a valid stage name. Use one line without quotes and formatting.`);
  }
  return stagesIn(file).some(({ name }) => name === newName)
    ? refuse(`The stage \`${newName}\` already exists. Choose another name.`)
    : undefined;
}

function refuseFlowName({ contract }: SkillFile, newName: string): RenameRefusal | undefined {
  if (!NAME.test(newName)) return refuse(`\`${newName}\` is not a valid name. Use letters, digits, \`_\` and \`-\`.`);
  const fields = [contract.input, contract.output].flatMap((side) => side?.schema.fields ?? []);
  const mapped = contract.composes.flatMap((entry) => [
    ...pairsOf(entry.inputMapping).map(({ from }) => from),
    ...pairsOf(entry.outputMapping).map(({ to }) => to),
  ]);
  return fields.some(({ name }) => name === newName) || mapped.includes(newName)
    ? refuse(`The data flow already has a value \`${newName}\`. Choose another name.`)
    : undefined;
}

// Names that a template defines itself.

function refuseLocal(file: SkillFile, { name, variables }: LocalTarget): RenameRefusal | undefined {
  if (variables.some(({ definitions }) => definitions.some(({ kind }) => kind === 'import'))) {
    return refuse(
      `\`${name}\` is imported from another template. Rename it there, or import it under another name with \`as\`.`,
    );
  }
  if (isParameter(file, name) && variables.some(({ uses }) => uses.some(({ certain }) => !certain))) {
    return refuse(
      `The template also sets the parameter \`${name}\` under a condition. Rename the variable by hand first.`,
    );
  }
  const homes = file.templates.filter((template) =>
    variables.some((one) => template.inFile.scopes.variables.includes(one)),
  );
  const isTaken = file.templates.some(({ source }) =>
    source.scopes.references.some(
      ({ statement, names }) =>
        statement !== 'include' && names.some((one) => homes.some(({ artifact }) => artifact.name === one.name)),
    ),
  );
  const isExported = variables.some(({ scope }) => scope.kind === 'root');
  return isTaken && isExported
    ? refuse(
        `Another template imports or extends the template that defines \`${name}\`. Rename it in both templates by hand.`,
      )
    : undefined;
}

function refuseLocalName(file: SkillFile, newName: string): RenameRefusal | undefined {
  const isUsed = file.templates.some(
    ({ source: { scopes } }) =>
      scopes.variables.some((one) => one.name === newName) || scopes.uses.some((one) => one.name === newName),
  );
  return (
    refuseIdentifier(newName) ??
    (isParameter(file, newName)
      ? refuse(`\`${newName}\` is already a parameter of the skill. Choose another name.`)
      : isUsed
        ? refuse(`A template in this file already has a variable \`${newName}\`. Choose another name.`)
        : undefined)
  );
}

/** A file with the text on the disk. */
export interface RecordedOutput {
  readonly uri: string;
  readonly text: string;
}

/** A field of the output of a skill, with the names that lead to it. */
export interface OutputField {
  readonly home: SkillFile;
  readonly path: readonly string[];
}

/** Returns the field of an output at an offset; undefined for other names. */
export function outputFieldAt(analysis: Analysis, file: SkillFile, offset: number): OutputField | undefined {
  const target = targetAt(analysis, file, offset)?.target;
  const home = target?.kind === 'field' ? analysis.file(target.uri) : undefined;
  const fields = home?.contract.output?.schema.fields;
  const path = target?.kind === 'field' && fields ? pathTo(fields, target.key) : undefined;
  return home && path && { home, path };
}

function pathTo(fields: readonly SchemaField[], key: Span): readonly string[] | undefined {
  for (const { name, keySpan, fields: inner } of fields) {
    if (keySpan.start === key.start) return [name];
    const rest = pathTo(inner, key);
    if (rest) return [name, ...rest];
  }
  return undefined;
}

/** Returns the edits that rename a field in a recorded output. Items of lists add no name to the path. Never throws. */
export function editsOfRecorded(
  { uri, text }: RecordedOutput,
  path: readonly string[],
  newName: string,
): FileEdits | undefined {
  const { broken, root } = parseJson(text, span(0, text.length));
  const edits: TextEdit[] = [];
  const visit = (node: YamlNode | undefined, [first, ...rest]: readonly string[]): void => {
    if (node?.kind === 'list') for (const item of node.items) visit(item, [first ?? '', ...rest]);
    if (node?.kind !== 'map') return;
    for (const { key, value } of node.entries) {
      if (textOf(key) !== first) continue;
      if (rest.length > 0) visit(value, rest);
      else edits.push({ span: key.span, newText: JSON.stringify(newName) });
    }
  };
  if (!broken) visit(root, path);
  return edits.length > 0 ? { uri, edits } : undefined;
}
