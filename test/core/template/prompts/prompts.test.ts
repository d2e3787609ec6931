/**
 * A hundred prompts in the manner of public prompt templates, written for this test. Each has its schema, its values and
 * its template, and renders without a finding, except for the findings that are listed with their reasons.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { invocationContextOf } from '../../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../../server/src/composer/prepare.ts';
import type { Json } from '../../../../server/src/languages/yaml/node.ts';
import { check } from '../../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../../server/src/rules/engine/checked-package.ts';
import { sliceOf } from '../../../../server/src/text.ts';
import { fittingParameters } from '../../../properties/agreement/fitting-values.ts';
import { compose } from '../../composer/composing.ts';

const FOLDER = 'test/core/template/prompts';
const URI = 'file:///prompts/skills/prompt.skill.md';

interface Prompt {
  readonly name: string;
  readonly schema: string;
  /** YAML. */
  readonly values: string;
  readonly template: string;
  /** The rule and the marked text of each expected finding. */
  readonly expected: readonly string[];
}

/** Reads the prompts of a file: a heading, the schema, the values, the template in a fence, and its findings. */
function promptsOf(file: string): readonly Prompt[] {
  const form = /^## (.+)\n(.+)\n(.+)\n````\n([\s\S]*?)````\n((?:> .+\n)*)/gm;
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  return [...text.matchAll(form)].map(([, name = '', schema = '', values = '', template = '', found = '']) => {
    const expected = [...found.matchAll(/^> (.+?) \| (.+?) \| .+$/gm)].map(([, rule, marked]) => `${rule}: ${marked}`);
    return { name, schema, values, template, expected };
  });
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

const workspace = new Workspace();

function opened({ schema, template }: Prompt) {
  const text = `---\nname: prompt\ndescription: Writes a prompt. Use it for prompts.\nversion: 1.0.0\ninput_schema: ${schema}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}`;
  workspace.apply({ kind: 'text', uri: URI, text });
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  return { file, analysis: workspace.analysis };
}

describe('prompts as in public templates', () => {
  it('are a hundred', () => {
    assert.ok(files.flatMap(promptsOf).length >= 100);
  });

  for (const file of files) {
    for (const prompt of promptsOf(file)) {
      it(`${file}: ${prompt.name}`, () => {
        const { file: skill, analysis } = opened(prompt);
        const findings = check(skill, analysis).filter(({ rule }) => rule !== 'unused-parameter');
        const shown = findings.map(({ rule, span }) => `${rule}: ${sliceOf(skill.text, span)}`);
        assert.deepEqual(shown, prompt.expected, findings.map(({ message }) => message).join('\n'));
        const skillPackage = checkedPackageOf(analysis, URI);
        assert.ok(skillPackage);
        const fails = findings.some(({ rule }) => rule === 'refused-value');
        // With a warning, only the given values have to render.
        const others = prompt.expected.length > 0 ? [] : fittingParameters(skill.contract.input?.schema);
        const values = parse(prompt.values) as Readonly<Record<string, Json>>;
        for (const parameters of [values, ...others]) {
          const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, URI), undefined, {
            parameters,
          });
          const result = compose(request);
          const messages = result.ok ? [] : result.errors.map(({ message }) => message);
          assert.equal(result.ok, !fails, `${JSON.stringify(parameters)}\n${messages.join('\n')}`);
        }
      });
    }
  }
});
