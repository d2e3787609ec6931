import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SEVERITIES } from '../../../server/src/finding.ts';
import { formatOf } from '../../../server/src/frontends/cli/command-options.ts';
import { parseOverrides } from '../../../server/src/frontends/cli/commands/check.ts';
import { ruleCalled } from '../../../server/src/frontends/cli/commands/explain.ts';
import { parseWord } from '../../../server/src/frontends/cli/option-values.ts';
import { isUserError } from '../../../server/src/io/user-error.ts';

const stops = (task: () => unknown, message: RegExp) =>
  assert.throws(task, (error) => isUserError(error) && message.test(error.message));

describe('the parsers of option values', () => {
  it('accept known formats', () => {
    const parse = (format: string) => formatOf({ format }, ['pretty', 'json']);
    assert.equal(parse('json'), 'json');
    assert.equal(formatOf({}, ['mermaid', 'dot']), 'mermaid');
    stops(() => parse('jsn'), /`--format` does not support `jsn`\. Did you mean `json`\?/);
    stops(() => parse(''), /Use one of pretty, json\./);
  });

  it('accept known severities', () => {
    const parseFailOn = (word: string) => parseWord(word, SEVERITIES, '--fail-on');
    assert.equal(parseFailOn('hint'), 'hint');
    stops(() => parseFailOn('warn'), /Use one of error, warning, info, hint\.|Did you mean `warning`\?/);
    stops(() => parseFailOn('off'), /`--fail-on` does not support `off`/);
  });

  it('accept NAME=SEVERITY, and keep the last severity of each rule', () => {
    assert.deepEqual(parseOverrides([]), {});
    assert.deepEqual(parseOverrides(['unknown-tool=off', 'missing-key=hint', 'unknown-tool=info']), {
      'unknown-tool': 'info',
      'missing-key': 'hint',
    });
    stops(() => parseOverrides(['unknown-tool']), /has no severity\. Write for example `--rule unknown-tool=off`/);
    stops(() => parseOverrides(['unknown-tol=off']), /unknown rule `unknown-tol`\. Did you mean `unknown-tool`/);
    stops(() => parseOverrides(['unknown-tool=eror']), /does not support `eror`\. Did you mean `error`\?/);
    stops(() => parseOverrides(['=off']), /unknown rule ``/);
  });

  it('find rules by name or number, regardless of case', () => {
    assert.equal(ruleCalled('e010', 'explain').name, 'level-violation');
    assert.equal(ruleCalled('Unknown-Tool', 'explain').name, 'unknown-tool');
    stops(() => ruleCalled('zzzzzzzzzzzz', 'explain'), /Run `skill-composer explain` to list the rules/);
  });
});
