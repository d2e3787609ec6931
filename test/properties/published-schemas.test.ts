/** The rules report everything that the published schemas refuse, for any mistake in a frontmatter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonOf } from '../../server/src/languages/yaml/node.ts';
import { schemaProblems } from '../../server/src/rules/contract/schema-problems.ts';
import { readExit } from '../../server/src/skill/execution/exit.ts';
import { missingServiceKeys } from '../../server/src/skill/service-contract.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { checkShape } from '../../server/src/vocabulary/check-shape.ts';
import { tableOf } from '../../server/src/vocabulary/tables.ts';
import { validatorFor } from '../core/exchange/validators.ts';
import { scaled, stride } from '../random.ts';
import { mutationsOf } from './agreement/mutations.ts';
import { samples } from './corpus.ts';
import { findingsAt, open } from './opened.ts';

/** Keys whose strings must have a form that no JSON Schema describes. */
const UNSEEN = new Set(['license', 'endpoint']);

const isSkill = (path: string): boolean => !path.includes('/references/');

function* mistyped(isWanted: (file: SkillFile) => boolean): Iterable<readonly [string, SkillFile]> {
  for (const [path, text] of samples) {
    const file = new SkillFile(`file:///skills/${path}`, text);
    if (!isSkill(path) || !isWanted(file) || !file.frontmatter.tree.root) continue;
    const body =
      file.dialect === 'contract' || file.dialect === 'catalog' ? '' : text.slice(file.frontmatter.bodyStart);
    for (const [at, [what, changed]] of [...mutationsOf(text.slice(0, text.length - body.length))].entries()) {
      if (at % stride(1) > 0) continue;
      const next = new SkillFile(file.uri, changed + body);
      if (!next.frontmatter.tree.broken && next.frontmatter.tree.problems.length === 0) yield [`${path} ${what}`, next];
    }
  }
}

test('the schemas of skills and the catalog reject exactly what the vocabulary rejects', () => {
  const counts = { refused: 0, taken: 0 };
  for (const [what, file] of mistyped(({ dialect }) => dialect !== 'agent-skill')) {
    const { root } = file.frontmatter.tree;
    const validate = validatorFor(file.uri);
    const isRefused = !validate(jsonOf(root));
    const ofShape = checkShape(root, tableOf(file.dialect)).filter(
      ({ kind, key }) => kind !== 'value' || !UNSEEN.has(key),
    );
    const ofSchemas = [...schemaProblems(file)];
    const promises = file.dialect === 'catalog' ? [] : missingServiceKeys(root);
    const exits = readExit(root, file.contract).problems;
    const isWrong = ofShape.length + ofSchemas.length + promises.length + exits.length > 0;
    if (isRefused) assert.ok(isWrong, `${what}: ${JSON.stringify(validate.errors)}`);
    else assert.deepEqual([...ofShape.map(({ message }) => message), ...promises], [], what);
    counts[isRefused ? 'refused' : 'taken']++;
  }
  assert.ok(counts.refused > scaled(100) && counts.taken > scaled(100), JSON.stringify(counts));
});

test('a file that the schema of SKILL.md rejects has at least one finding', () => {
  let refused = 0;
  for (const [what, file] of mistyped(({ dialect }) => dialect === 'agent-skill')) {
    const validate = validatorFor(file.uri);
    if (validate(jsonOf(file.frontmatter.tree.root))) continue;
    refused++;
    const path = file.uri.slice('file:///skills/'.length);
    const findings = findingsAt(open({ [path]: file.text }), path);
    assert.notDeepEqual(findings, [], `${what}: ${JSON.stringify(validate.errors)}`);
  }
  assert.ok(refused > scaled(2), String(refused));
});
