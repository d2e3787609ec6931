/**
 * No authored word is lost (docs/composer.md, step 5): it is in the prompt or in a node, or a decision gives the reason
 * for its omission.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { ComposeRequest, Composition, Subgraph } from '../../../server/src/composer/composition.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import type { Span } from '../../../server/src/text.ts';
import { compose, prepared, skill } from '../../core/composer/composing.ts';
import { cases } from '../../random.ts';

/** Text that is not content of the skill: title and headings, metadata, suppression comments. */
function namedSpans(file: SkillFile): readonly Span[] {
  const { body, suppressions } = file;
  return [
    ...(body?.title ? [body.title.span] : []),
    ...(body?.artifacts ?? []).flatMap(({ heading, metadata, example, template }) => [
      heading.span,
      ...(metadata ? [metadata.fence.span] : []),
      ...[example?.input, example?.output].flatMap((part) => (part ? [part.heading.span] : [])),
      // A used template renders, but its fence is not content.
      ...(template?.fence ? [template.fence.span] : []),
    ]),
    ...suppressions.map(({ comment }) => comment),
  ];
}

const nodeTexts = ({ nodes }: Subgraph): string =>
  nodes.map(({ instructions = '', guidance = '' }) => `${instructions}\n${guidance}`).join('\n');

/** The words of the body that are missing everywhere. */
function lostWords({ skillPackage }: ComposeRequest, file: SkillFile, composition: Composition): readonly string[] {
  const { segments, decisions, subgraph, usedArtifacts } = composition;
  const { artifacts } = skillPackage;
  const left = decisions.filter(({ taken, uri }) => !taken && uri === file.uri);
  const held: Span[] = [
    ...segments.flatMap(({ source }) => (source ? [source.span] : [])),
    ...left.filter(({ subject }) => subject === 'prose').map(({ span }) => span),
    ...artifacts
      .filter(({ id }) => left.some(({ subject, artifact }) => subject !== 'prose' && artifact === id))
      .map(({ span }) => span),
    ...artifacts.flatMap(({ id, template }) =>
      template && usedArtifacts.some((used) => used.id === id) ? [template.span] : [],
    ),
    ...namedSpans(file),
  ];
  const said = nodeTexts(subgraph);
  const approaches = artifacts.filter(({ kind }) => kind === 'Approach');
  const start = file.body?.span.start ?? file.text.length;
  return [...file.text.slice(start).matchAll(/[\p{L}\p{N}]{2,}/gu)].flatMap((match) => {
    const at = start + match.index;
    if (held.some((span) => span.start <= at && at < span.end)) return [];
    const inApproach = approaches.some(({ span }) => span.start <= at && at < span.end);
    return inApproach && said.includes(match[0]) ? [] : [match[0]];
  });
}

const W = 'WORD';
const paragraph = fc.constantFrom(
  `${W} ${W}.`,
  `${W}\n${W}`,
  `> ${W}`,
  `- ${W}\n- ${W}`,
  `### ${W}\n\n${W}`,
  `\`\`\`\n${W}\n\`\`\``,
);
const prose = fc.array(paragraph, { maxLength: 2 }).map((parts) => `${parts.join('\n\n')}\n\n`);
const ordered = fc
  .tuple(
    fc.constantFrom('.', ')'),
    fc.array(fc.constantFrom(W, `**${W}** ${W}`, `${W}\n\n   ${W}`, `${W}\n   - ${W}`), { minLength: 1, maxLength: 3 }),
  )
  .map(([mark, items]) => items.map((item, at) => `${at + 1}${mark} ${item}\n`).join(''));
const meta = (line: string): string => `\`\`\`yaml artifact\n${line}\n\`\`\`\n`;
const when = fc.constantFrom('', meta('include_when: "true"'), meta('include_when: "false"'));
const silenced = '<!-- skill-disable-next-line template-in-prose -->\n';

const section = fc.oneof(
  fc.tuple(when, prose).map(([head, text]) => ['Description', head + text]),
  fc
    .tuple(when, fc.array(fc.oneof(prose, ordered), { maxLength: 5 }))
    .map(([head, parts]) => ['Approach', head + parts.map((part) => `${part}\n`).join('')]),
  fc
    .tuple(fc.constantFrom('', meta('tags: [grim]'), meta('tags: [other]')), prose, prose, prose, fc.boolean())
    .map(([head, intro, input, output, notes]) => [
      'Example',
      `${head}${intro}### Input\n\n${input}### Output\n\n${output}${notes ? `### Notes\n\n${W}\n` : ''}`,
    ]),
  fc
    .tuple(fc.constantFrom('', `\`\`\`yaml\na: ${W}\n\`\`\`\n`), prose)
    .map(([data, text]) => ['Example', `### Output\n\n${data}${text}`]),
  prose.map((text) => ['Rules', text]),
  fc.constant(['PromptTemplate', `${W} {{ tone }}\n`]),
);

const aBody = fc
  .record({
    head: fc.constantFrom(
      '',
      'framing: main\n',
      'planner_delegates_shape: true\n',
      'backing_service: {endpoint: "x:1"}\n',
    ),
    opening: prose,
    sections: fc.array(section, { maxLength: 6 }),
    beside: fc.constantFrom('', `${W}\n\n`),
  })
  .map(({ head, opening, sections, beside }) => {
    const main = `## PromptTemplate: main\n\n${beside}\`\`\`jinja\n${W} {% include "part" %}\n\`\`\`\n\n${beside}## PromptTemplate: part\n\n${W}\n\n`;
    const rest = sections.map(([kind, text], at) => `## ${kind}: n${at}\n${text}\n`).join('');
    let count = 0;
    const body = `\n# ${W}\n\n${silenced}${W}\n\n${opening}${main}${rest}`.replaceAll(W, () => `w${count++}x`);
    return skill(`input_schema: {tone: string}\n${head}`, body);
  });

test('keeps every word of a skill body, whatever its artifacts', () => {
  fc.assert(
    fc.property(aBody, (text) => {
      const { request } = prepared(text, { parameters: { tone: 'grim' } });
      const result = compose(request);
      if (!result.ok) assert.fail(result.errors.map(({ message }) => message).join('\n'));
      const file = new SkillFile(request.skillPackage.uri, text);
      assert.deepEqual(lostWords(request, file, result.composition), [], text);
    }),
    cases(150),
  );
});

const samples = readdirSync('samples', { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
const files = samples.filter((path) => /\.skill\.(md|yaml)$|SKILL\.md$/.test(path) && !path.startsWith('mistakes/'));

test('no word of a sample is lost, in any of its invocations', () => {
  const workspace = new Workspace();
  for (const path of ['skills.config.yaml', ...files]) {
    workspace.apply({ kind: 'text', uri: `file:///${path}`, text: readFileSync(`samples/${path}`, 'utf8') });
  }
  const { analysis } = workspace;
  let composed = 0;
  for (const path of files) {
    const file = analysis.file(`file:///${path}`);
    const skillPackage = file && checkedPackageOf(analysis, file.uri);
    assert.ok(skillPackage, path);
    for (const { name } of skillPackage.samples) {
      const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, file.uri), name);
      const result = compose(request);
      if (!result.ok) assert.fail(`${path}: ${result.errors.map(({ message }) => message).join('\n')}`);
      assert.deepEqual(lostWords(request, file, result.composition), [], path);
      composed++;
    }
  }
  assert.ok(composed > 10);
});
