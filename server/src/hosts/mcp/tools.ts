/** The tools of the authoring server: names, arguments and annotations (docs/mcp.md). Data alone, which loads soon. */
import type { Json } from '../../languages/yaml/node.ts';
import type { Kind } from '../../scaffold/scaffold.ts';

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

const skill = { skill: text("The skill's name, or its file as answers name it.") };
const version = { version: text('Which one, where several versions of the skill are there.') };
const digest = {
  digest: text('The digest of the text that you have read; the call is refused where the file is another by now.'),
};
const allowErrors = { allow_errors: flag('Write it also where it has errors, as a draft.') };
const evenIfUsed = { even_if_used: flag('Do it also where other skills compose this one.') };
const ofWriter = { ...skill, ...version, ...digest, ...allowErrors };

const artifactName = {
  kind: text('Description, Approach, PromptTemplate or Example.'),
  name: text('The name in its heading; without one the artifact is called by its kind.'),
  model_variant: text('Of a PromptTemplate: the model that this variant is for.'),
};
const content: Json = {
  description:
    'The Markdown below the heading; of a PromptTemplate its Jinja source; of an Example also `{input, output}`, each a text or data.',
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
      'Lists the skills that are there, without their texts; `check_skill` finds files whose frontmatter is broken. Pages: give back `nextCursor` as `cursor`.',
    annotations: reads,
    input: input([], {
      source: { enum: SOURCES, description: 'Where they come from.' },
      tags: texts('Tags that a skill has to have, all of them.'),
      enabled: flag('Whether the catalog lets them be used here.'),
      dialect: { enum: ['composer', 'contract', 'agent-skill'], description: 'The kind of file.' },
      text: text('In the name, the description or a tag.'),
      cursor: text('Where the page begins.'),
    }),
  },
  {
    name: 'get_skill',
    title: 'Get a skill',
    description:
      'Gives one skill: metadata, contract, framing, artifacts, capabilities, findings, who composes it, and the digest of its text.',
    annotations: reads,
    input: input(['skill'], {
      ...skill,
      ...version,
      artifacts: texts('The kinds of artifacts whose content is wanted.'),
    }),
  },
  {
    name: 'check_skill',
    title: 'Check a skill',
    description:
      'Gives the findings of a skill, or of a text that is not saved yet, each with its place and fixes. Without arguments those of all skills.',
    annotations: reads,
    input: input([], {
      ...skill,
      ...version,
      text: text('The text of a file, in place of a skill that is there.'),
      file: text('Where that text would be saved, such as skills/NAME.skill.md; what stands around it counts.'),
    }),
  },
  {
    name: 'compose_skill',
    title: 'Compose a skill',
    description:
      'Composes the prompt of a skill, or of a text that is not saved yet, for a sample or parameters. Nothing is executed.',
    annotations: reads,
    input: input([], {
      ...skill,
      ...version,
      text: text('The text of a file, in place of a skill that is there.'),
      file: text('Where that text would be saved.'),
      sample: text('A sample of the skill; without it and without parameters its only one.'),
      parameters: map('The parameters.'),
      request: text("The user's words."),
      profile: text('The caller, a profile of the catalog.'),
    }),
  },
  {
    name: 'match_skill',
    title: 'Match skills',
    description: 'Ranks the skills that answer a request, with reasons.',
    annotations: reads,
    input: input(['request'], {
      request: text('What a user would ask.'),
      top: { type: 'integer', minimum: 1, maximum: 100, description: 'So many at most.' },
    }),
  },
  {
    name: 'test_skill',
    title: 'Test a skill',
    description: 'Runs the tests of a skill that need no model: samples, kept prompts, examples, routing.',
    annotations: reads,
    input: input(['skill'], {
      ...skill,
      ...version,
      filter: text('Only tests whose name, or whose skill, has this text.'),
    }),
  },
];

const writers: readonly Tool[] = [
  {
    name: 'create_skill',
    title: 'Create a skill',
    description:
      'Makes a skill and says first which skills it overlaps with. It is checked before it is written; with errors nothing is written and the findings come back.',
    annotations: adds,
    input: input(['name', 'description'], {
      name: text('Lower-case words joined by hyphens.'),
      description: text('What it does and when to use it.'),
      version: text('Its semantic version. Default: 0.1.0.'),
      framing: text(
        'The prose that tells the model what to do, taken literally. To fill in parameters give one PromptTemplate in its place.',
      ),
      input_schema: map(
        'The parameters: JSON Schema, or a map such as `{topic: "string, what it is about", words: "integer?", tags: "string[]"}`.',
      ),
      output_schema: map('What comes back, in the same form.'),
      tools: { type: 'array', description: 'The tools that it may use: names, or entries with constraints.' },
      metadata: map('Further keys of the frontmatter, such as `tags`, `composes` (names of skills) and `samples`.'),
      artifacts: {
        type: 'array',
        description: 'Its artifacts, in their order.',
        items: input(['kind', 'content'], { ...artifactName, content, metadata: map('The metadata of the artifact.') }),
      },
      template: {
        enum: TEMPLATES,
        description:
          'What the text begins as. Default: what is given here; without `framing` and `artifacts` a text to write over.',
      },
      where: text('`workspace` (default), `account`, or a folder of the workspace.'),
      ...allowErrors,
    }),
  },
  {
    name: 'update_skill',
    title: 'Update a skill',
    description:
      'Changes the metadata of a skill key by key, or its framing. Comments and order stay. Gives the diff, and the version that the change asks for. Another `name` is refused while other skills compose it, unless `even_if_used`.',
    annotations: changes,
    input: input(['skill'], {
      ...ofWriter,
      set: map('Keys of the frontmatter, such as `version` or `input_schema`, each with its whole new value.'),
      unset: texts('Keys of the frontmatter to remove.'),
      framing: text('The new prose; where a template frames the skill, its new source.'),
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
      set: map('Keys of its metadata with their new values.'),
      unset: texts('Keys of its metadata to remove.'),
    }),
  },
  {
    name: 'remove_artifact',
    title: 'Remove an artifact',
    description: 'Removes one artifact of a skill.',
    annotations: removes,
    input: input(['skill', 'kind'], { ...ofWriter, ...artifactName }),
  },
  {
    name: 'delete_skill',
    title: 'Delete a skill',
    description: 'Deletes the file of a skill. Refused while other skills compose it, unless `even_if_used`.',
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
      'Applies one fix of a finding, as `check_skill` lists them. Refused where that makes more errors than there were.',
    annotations: changes,
    input: input(['skill', 'rule', 'title'], {
      ...ofWriter,
      rule: text("The finding's rule."),
      title: text("The fix's title."),
      ...evenIfUsed,
    }),
  },
];

/** `readOnly` leaves out what writes. */
export const toolsFor = (readOnly: boolean): readonly Tool[] => (readOnly ? readers : [...readers, ...writers]);

/** What every result has; the other keys depend on the tool. */
export const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    ok: { type: 'boolean', description: 'False where the call is refused.' },
    reason: { type: 'string', description: 'Why it is refused.' },
    message: { type: 'string', description: 'The same in a sentence, with what to do.' },
    findings: { type: 'array', items: { type: 'object' } },
    left_out: {
      type: 'object',
      description: 'How many entries of a list are left out, by its key: a list has at most 50, the most urgent.',
    },
    diff: { type: 'string' },
    digest: { type: 'string' },
    contract: { type: 'object' },
    capabilities: { type: 'object' },
  },
  required: ['ok'],
};
