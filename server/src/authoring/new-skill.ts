/** Creates the text of a skill that an agent requests (docs/mcp.md, "create_skill"). */
import type { NewSkill as AddedSkill } from '../features/actions/new-skill.ts';
import { formatScalar, setScalar } from '../languages/yaml/edit.ts';
import type { Json } from '../languages/yaml/node.ts';
import { findValue } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import { type Kind, scaffold } from '../scaffold/scaffold.ts';
import { insertKey } from '../skill/insert-key.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits } from '../text.ts';
import { type ArtifactName, addArtifact, type Content } from './artifacts.ts';
import { isRefused, type Refusal, type Rewriting, refusal } from './refusal.ts';
import { type Fields, setFields } from './set-fields.ts';
import { setFraming } from './set-framing.ts';

export interface NewArtifact extends ArtifactName {
  readonly content: Content;
  readonly metadata?: Fields | undefined;
}

export interface NewSkill {
  readonly name: string;
  readonly description: string;
  readonly version?: string | undefined;
  readonly framing?: string | undefined;
  readonly inputSchema?: Json | undefined;
  readonly outputSchema?: Json | undefined;
  readonly tools?: readonly Json[] | undefined;
  /** Additional keys of the frontmatter. */
  readonly metadata?: Fields | undefined;
  readonly artifacts?: readonly NewArtifact[] | undefined;
  /**
   * The kind of template for the text. Without a template, a skill with a framing or artifacts contains only the given
   * parts.
   */
  readonly template?: Kind | undefined;
}

export interface NewText {
  /** The path relative to the target folder, with `/`. */
  readonly fileName: string;
  readonly text: string;
}

export function newSkill(wanted: NewSkill, uriOf: (fileName: string) => string): NewText | Refusal {
  const { name, description, template, metadata = {} } = wanted;
  const { version, inputSchema: input_schema, outputSchema: output_schema, tools } = wanted;
  const given = { name, description, version, input_schema, output_schema, tools };
  const twice = Object.entries(given).flatMap(([key, value]) =>
    value !== undefined && metadata[key] !== undefined ? key : [],
  );
  if (twice.length > 0) {
    const keys = inWords(twice, 'and');
    return refusal('invalid-argument', `\`metadata\` repeats ${keys}. Pass them only as separate arguments.`);
  }
  if (template === 'agent-skill' && tools?.some((tool) => typeof tool !== 'string')) {
    const message = 'The tools of a `SKILL.md` must be strings. Pass for example `Read` or `Bash(git:*)` in `tools`.';
    return refusal('invalid-argument', message);
  }
  const hasOwnText = wanted.framing !== undefined || (wanted.artifacts?.length ?? 0) > 0;
  const kind: Kind = template ?? 'literal';
  const made = scaffold({ kind, name, description });
  if ('problem' in made) return refusal('invalid-argument', made.problem);
  const uri = uriOf(made.fileName);
  // Given text is not mixed with the text of a template.
  const begun = template === undefined && hasOwnText ? bareText(wanted) : made.text;
  const text = filled(new SkillFile(uri, begun), wanted, kind);
  return isRefused(text) ? text : { fileName: made.fileName, text: text.text };
}

function bareText({ name, description, inputSchema }: NewSkill): string {
  const lines = [
    `name: ${formatScalar(name)}`,
    `description: ${formatScalar(description.trim().replace(/\s*[\r\n]+\s*/g, ' '))}`,
    'version: 0.1.0',
    ...(inputSchema === undefined ? ['input_schema: {}'] : []),
  ];
  return ['---', ...lines, '---', ''].join('\n');
}

function filled(begun: SkillFile, wanted: NewSkill, kind: Kind): Rewriting {
  const { version, framing, inputSchema, outputSchema, tools, metadata = {}, artifacts = [] } = wanted;
  const set: Record<string, Json> = { ...metadata };
  if (version !== undefined) set.version = version;
  if (inputSchema !== undefined) set.input_schema = inputSchema;
  if (outputSchema !== undefined) set.output_schema = outputSchema;
  if (tools !== undefined) set[kind === 'agent-skill' ? 'allowed-tools' : 'tools'] = toolsFor(kind, tools);
  // If the caller passes an input schema, remove the template's samples, which are for the template's inputs.
  const hasSamples = begun.contract.samples.length > 0 && inputSchema !== undefined && set.samples === undefined;
  let result = setFields(begun, set, hasSamples ? ['samples'] : []);
  if (!isRefused(result) && framing !== undefined) result = setFraming(new SkillFile(begun.uri, result.text), framing);
  for (const { content, metadata: own, ...artifact } of artifacts) {
    if (isRefused(result)) return result;
    result = addArtifact(new SkillFile(begun.uri, result.text), artifact, content, own);
  }
  return result;
}

const toolsFor = (kind: Kind, tools: readonly Json[]): Json => (kind === 'agent-skill' ? tools.join(' ') : tools);

/** Returns the initial text of a skill that a fix adds; undefined if the name is invalid. */
export function initialText({ uri, name, kind, level, version }: AddedSkill): string | undefined {
  const made = scaffold({ kind, name });
  if ('problem' in made) return undefined;
  const file = new SkillFile(uri, made.text);
  const written = findValue(file.frontmatter.tree.root, 'version');
  return applyEdits(file.text, [
    ...(version !== undefined && written?.kind === 'scalar' ? setScalar(file.text, written, version) : []),
    ...(level === undefined ? [] : insertKey(file, 'level', String(level))),
  ]);
}
