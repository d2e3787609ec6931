/**
 * The names, arguments and annotations of the authoring tools (docs/mcp.md). The file contains only data, so that it
 * loads quickly.
 */
import type { Json } from '../../languages/yaml/node.ts';
import type { Kind } from '../../scaffold/scaffold.ts';
import type { InvocationSource } from '../../skill/package.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
}

interface ObjectSchema {
  readonly [key: string]: Json;
  readonly type: 'object';
}

type Properties = Readonly<Record<string, Json>>;

const text = (description: string): Json => ({ type: 'string', description });
const flag = (description: string): Json => ({ type: 'boolean', description });
const texts = (description: string): Json => ({ type: 'array', items: { type: 'string' }, description });
const map = (description: string): Json => ({ type: 'object', description });

const input = (required: readonly string[], properties: Properties): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const skill = { skill: text('The name of the skill, or its file as shown in results.') };
const version = { version: text('The version, if the skill exists in several versions.') };
const digest = {
  digest: text('The digest of the text that you have read. The call is refused if the file has changed since.'),
};
const allowErrors = { allow_errors: flag('Write the text even if it has errors, as a draft.') };
const evenIfUsed = { even_if_used: flag('Continue even if other skills compose this one.') };
const ofWriter = { ...skill, ...version, ...digest, ...allowErrors };

const artifactName = {
  kind: text('Description, Approach, PromptTemplate or Example.'),
  name: text('The name in its heading. Omit it for an artifact without a name.'),
  model_variant: text('Only for a PromptTemplate: the model that this variant is for.'),
};
const content: Json = {
  description:
    'The Markdown below the heading. For a PromptTemplate, its Jinja source. For an Example, either Markdown or an object `{input, output}`, in which each value is a string or data.',
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: { input: {}, output: {} },
      required: ['input', 'output'],
      additionalProperties: false,
    },
  ],
};

const TEMPLATES: readonly Kind[] = ['literal', 'template', 'staged', 'contract', 'agent-skill'];
const INVOCATION_SOURCES: readonly InvocationSource[] = ['explicit', 'agent-selected', 'scheduled', 'authoring'];
const SOURCES = ['system', 'user', 'imported', 'marketplace'];

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;
const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false } as const;
const removes = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false } as const;

const readers: readonly Tool[] = [
  {
    name: 'list_skills',
    title: 'List skills',
    description:
      'Lists the existing skills without their content. For the next page, pass `nextCursor` as `cursor`. Files with invalid frontmatter are not listed; `check_skill` reports them.',
    annotations: reads,
    input: input([], {
      source: { enum: SOURCES, description: 'The origin of the skills.' },
      tags: texts('Only skills that have all of these tags.'),
      enabled: flag('Only skills that the catalog enables (true) or disables (false) in this workspace.'),
      dialect: { enum: ['composer', 'contract', 'agent-skill'], description: 'The format of the file.' },
      text: text('A string in the name, the description or a tag.'),
      cursor: text('The start of the page: `nextCursor` from the previous page.'),
    }),
  },
  {
    name: 'get_skill',
    title: 'Get a skill',
    description:
      'Returns one skill: metadata, contract, framing, artifacts, capabilities, findings, the skills that compose it, and the digest of its text.',
    annotations: reads,
    input: input(['skill'], {
      ...skill,
      ...version,
      artifacts: texts('The kinds of artifacts to return with their content.'),
    }),
  },
  {
    name: 'check_skill',
    title: 'Check a skill',
    description:
      'Returns the findings of a skill or of unsaved text, each with its location and fixes. Without arguments, checks all skills.',
    annotations: reads,
    input: input([], {
      ...skill,
      ...version,
      text: text('The unsaved text of a file, instead of `skill`.'),
      file: text('The path for saving `text`, such as skills/NAME.skill.md. Files around it affect the result.'),
    }),
  },
  {
    name: 'compose_skill',
    title: 'Compose a skill',
    description:
      'Composes the prompt of a skill or of unsaved text, for a sample or for parameters. Nothing is executed.',
    annotations: reads,
    input: input([], {
      ...skill,
      ...version,
      text: text('The unsaved text of a file, instead of `skill`.'),
      file: text('The path that `text` would be saved to.'),
      sample: text('The name of a sample. Without `parameters`, the default is the only sample.'),
      parameters: map('The parameters, by name.'),
      request: text("The user's request."),
      profile: text('The caller: the name of a profile in the catalog.'),
      source: { enum: INVOCATION_SOURCES, description: 'The source of the invocation. Default: explicit.' },
      channel: text('The ID of the channel. Default: none, the whole workspace.'),
      thread_id: text('The ID of the thread, for the invocation record.'),
      model: text('The model for which templates are selected.'),
      memory: {
        type: 'array',
        description: 'What the caller remembers.',
        items: input(['id', 'tier', 'text'], {
          id: text('The ID of the item.'),
          tier: text('The kind of memory.'),
          text: text('What is remembered.'),
        }),
      },
      surface: text('The surface of the call, which selects the versions of the composed skills.'),
    }),
  },
  {
    name: 'match_skill',
    title: 'Match skills',
    description: 'Ranks the skills that match a request, with reasons.',
    annotations: reads,
    input: input(['request'], {
      request: text("The user's request."),
      top: { type: 'integer', minimum: 1, maximum: 100, description: 'The maximum number of matches.' },
      surface: text('The surface of the call, which selects the version of each skill.'),
    }),
  },
  {
    name: 'test_skill',
    title: 'Test a skill',
    description: 'Runs the tests of a skill that need no model: samples, saved prompts, examples and routing.',
    annotations: reads,
    input: input(['skill'], {
      ...skill,
      ...version,
      filter: text("Only tests whose name, or whose skill's name, contains this text."),
    }),
  },
];

const writers: readonly Tool[] = [
  {
    name: 'create_skill',
    title: 'Create a skill',
    description:
      'Creates a skill and returns similar skills in `overlaps`. The text is checked first: if it has errors, nothing is written and the findings are returned.',
    annotations: adds,
    input: input(['name', 'description'], {
      name: text('Lower-case words joined by hyphens.'),
      description: text('What the skill does and when to use it.'),
      version: text('The semantic version. Default: 0.1.0.'),
      framing: text(
        'The instructions for the model, used literally. To insert parameters, add a PromptTemplate artifact instead.',
      ),
      input_schema: map(
        'The schema of the parameters: JSON Schema, or a map such as `{topic: "string, what it is about", words: "integer?", tags: "string[]"}`.',
      ),
      output_schema: map('The schema of the output, in the same form.'),
      tools: { type: 'array', description: 'The tools that the skill may use: names, or entries with constraints.' },
      metadata: map('Other frontmatter keys, such as `tags`, `composes` (names of skills) and `samples`.'),
      artifacts: {
        type: 'array',
        description: 'The artifacts of the skill, in order.',
        items: input(['kind', 'content'], { ...artifactName, content, metadata: map('The metadata of the artifact.') }),
      },
      template: {
        enum: TEMPLATES,
        description:
          'The template for the text. By default, the text contains only the given parts, or a placeholder if `framing` and `artifacts` are missing.',
      },
      where: text('`workspace` (default), `account`, or a folder in the workspace.'),
      ...allowErrors,
    }),
  },
  {
    name: 'update_skill',
    title: 'Update a skill',
    description:
      'Changes frontmatter keys of a skill, or its framing. Keeps comments and the order of keys. Returns the diff and the version that the change requires. A new `name` is refused if other skills compose the skill, unless `even_if_used` is true.',
    annotations: changes,
    input: input(['skill'], {
      ...ofWriter,
      set: map('Frontmatter keys, such as `version` or `input_schema`, each with its complete new value.'),
      unset: texts('Frontmatter keys to remove.'),
      framing: text('The new framing text, or the new source of the template that frames the skill.'),
      ...evenIfUsed,
    }),
  },
  {
    name: 'add_artifact',
    title: 'Add an artifact',
    description: 'Adds a description, an approach, a template or an example to a skill.',
    annotations: adds,
    input: input(['skill', 'kind', 'content'], {
      ...ofWriter,
      ...artifactName,
      content,
      metadata: map('The metadata of the artifact, such as `include_when` or `tags`.'),
    }),
  },
  {
    name: 'update_artifact',
    title: 'Update an artifact',
    description: 'Changes the content or the metadata of one artifact.',
    annotations: changes,
    input: input(['skill', 'kind'], {
      ...ofWriter,
      ...artifactName,
      content,
      set: map('Metadata keys of the artifact, with their new values.'),
      unset: texts('Metadata keys of the artifact to remove.'),
    }),
  },
  {
    name: 'remove_artifact',
    title: 'Remove an artifact',
    description: 'Removes one artifact from a skill.',
    annotations: removes,
    input: input(['skill', 'kind'], { ...ofWriter, ...artifactName }),
  },
  {
    name: 'delete_skill',
    title: 'Delete a skill',
    description:
      'Deletes the file of a skill. The call is refused if other skills compose the skill, unless `even_if_used` is true.',
    annotations: removes,
    input: input(['skill'], {
      ...skill,
      ...version,
      ...digest,
      ...evenIfUsed,
    }),
  },
  {
    name: 'apply_fix',
    title: 'Apply a fix',
    description:
      'Applies one fix for a finding that `check_skill` lists. The call is refused if the skill would have more errors than before.',
    annotations: changes,
    input: input(['skill', 'rule', 'title'], {
      ...ofWriter,
      rule: text('The rule of the finding.'),
      title: text('The title of the fix.'),
      ...evenIfUsed,
    }),
  },
];

/** Returns the tools; with `readOnly` only those that do not write. */
export const toolsFor = (readOnly: boolean): readonly Tool[] => (readOnly ? readers : [...readers, ...writers]);

/** The schema of all results. The other keys depend on the tool. */
export const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    ok: { type: 'boolean', description: 'False if the call is refused.' },
    reason: { type: 'string', description: 'The reason for the refusal, as a code.' },
    message: { type: 'string', description: 'The reason as a sentence, and how to fix the problem.' },
    findings: { type: 'array', items: { type: 'object' } },
    left_out: {
      type: 'object',
      description:
        'The number of omitted entries for each list, by its key. A list contains at most the 50 most severe entries.',
    },
    diff: { type: 'string' },
    digest: { type: 'string' },
    contract: { type: 'object' },
    capabilities: { type: 'object' },
  },
  required: ['ok'],
};
