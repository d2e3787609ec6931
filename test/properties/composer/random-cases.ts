/** Random skills with artifacts of every kind, each with a valid invocation. */
import fc from 'fast-check';
import type { ComposeRequest } from '../../../server/src/composer/composition.ts';
import { type Options, prepared, skill } from '../../core/composer/composing.ts';

const WORDS = ['siege', 'ferry', 'grim', 'wry', 'night', 'tea'];
const word = fc.constantFrom(...WORDS);
const prose = fc
  .array(fc.constantFrom(...WORDS, '🦀', '漢字', '\n', 'a  b', '# no heading'), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' ').replace(/^[\s#]+/gm, 'x '));

const metadata = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\`\`\`yaml artifact\n${lines.join('\n')}\n\`\`\`\n`;

const condition = fc.constantFrom(
  'tone == "grim"',
  'n > 3',
  'scope == "channel"',
  'source == "explicit"',
  'model',
  'true',
);

const description = fc.tuple(fc.option(condition), prose).map(([when, text]) => ({
  kind: 'Description',
  text: `${metadata(when === null ? [] : [`include_when: ${when}`])}\n${text}\n`,
}));
const example = fc.tuple(fc.array(word, { maxLength: 3 }), prose, prose).map(([tags, input, output]) => ({
  kind: 'Example',
  text: `${metadata([`tags: [${tags.join(', ')}]`])}\n### Input\n\n${input}\n\n### Output\n\n${output}\n`,
}));
const approach = fc.tuple(fc.option(condition), prose).map(([when, text]) => ({
  kind: 'Approach',
  text: `${metadata(when === null ? [] : [`include_when: ${when}`])}\n1. **First** ${text.replaceAll('\n', ' ')}\n2. Second #tool:read_page\n`,
}));

const TEMPLATE = `
{%- if tone == "grim" %}Grim {% include "part" %}{% else -%}
  {{ tone | upper }} {{ n }}
{%- endif %}
{% for word in words %}{{ loop.index }}: {{ word }}{{ ", " if not loop.last }}{% endfor %}
`;

export interface Case {
  readonly text: string;
  readonly artifacts: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly options: Options;
}

export const aCase: fc.Arbitrary<Case> = fc
  .record({
    artifacts: fc.array(fc.oneof(description, example, approach), { maxLength: 7 }),
    framing: fc.boolean(),
    opening: prose,
    tone: fc.constantFrom('grim', 'wry'),
    n: fc.integer({ min: 1, max: 9 }),
    words: fc.array(word, { maxLength: 3 }),
    request: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    channel: fc.option(fc.constant('one'), { nil: undefined }),
    model: fc.constantFrom(undefined, 'anthropic'),
    examples: fc.integer({ min: 0, max: 3 }),
    tokens: fc.constantFrom(20, 60, 120, 8_000),
  })
  .map(({ artifacts, framing, opening, examples, tokens, tone, n, words, request, channel, model }) => {
    const sections = artifacts.map(({ kind, text }, at) => `\n## ${kind}: ${kind.toLowerCase()} ${at}\n${text}`);
    const templates = `\n## PromptTemplate: main\n\n\`\`\`jinja\n${TEMPLATE}\`\`\`\n\n## PromptTemplate: part\n\nof the {{ words | length }}\n`;
    const head = `input_schema: {tone: string, n: integer, words: "string[]"}\ntools: [read_page]\n${framing ? 'framing: main\n' : ''}`;
    return {
      artifacts: sections,
      text: skill(head, `\n${opening}\n${sections.join('')}${templates}`),
      files: {
        'skills.config.yaml': `tools: [{name: read_page}]\ncomposer: {examples: ${examples}, context_tokens: ${tokens}}\n`,
      },
      options: {
        request,
        parameters: { tone, n, words },
        ...(channel === undefined ? {} : { channel }),
        ...(model === undefined ? {} : { model }),
      },
    };
  });

export const requestOf = ({ text, files, options }: Case): ComposeRequest =>
  prepared({ 'skills/test.skill.md': text, ...files }, options).request;
