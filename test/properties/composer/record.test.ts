/** Laws of the record (docs/composer.md, step 8): the files that it names are enough to compose again. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { ComposeRequest, InvocationRecord, SkillPackage } from '../../../server/src/composer/composition.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { compose, type Files } from '../../core/composer/composing.ts';
import { cases } from '../../random.ts';
import { aCase, requestOf } from './random-cases.ts';
import { filesOf, request as requestIn, workspace } from './random-skills.ts';

const CATALOG = 'skills.config.yaml';
const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const recordOf = (result: ReturnType<typeof compose>): InvocationRecord =>
  result.ok ? result.composition.invocationRecord : result.invocationRecord;

/** Returns the package of a record, with the catalog and only the files whose digests the record contains. */
function packageFrom(record: InvocationRecord, files: Files & object, folder: string): SkillPackage {
  const byDigest = new Map(Object.entries(files).map(([path, text]) => [sha256(text), path]));
  const paths = record.skills.map(({ digest }) => byDigest.get(digest) ?? assert.fail(`no file has ${digest}`));
  const read = new Workspace();
  for (const path of [CATALOG, ...paths])
    read.apply({ kind: 'text', uri: folder + path, text: (files as Readonly<Record<string, string>>)[path] ?? '' });
  return checkedPackageOf(read.analysis, folder + (paths[0] ?? '')) ?? assert.fail('no skill');
}

function assertReplays(request: ComposeRequest, files: Files & object, folder: string): void {
  const result = compose(request);
  const { skillPackage: _, ...rest } = request;
  const again = compose({ ...rest, skillPackage: packageFrom(recordOf(result), files, folder) });
  assert.equal(JSON.stringify(again), JSON.stringify(result));
}

test('composing again from the record, the request and the recorded files returns the same bytes', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const files = { 'skills/test.skill.md': one.text, ...one.files };
      assertReplays(requestOf(one), files, 'file:///skills-here/');
    }),
    cases(100),
  );
});

test('composing a composite or a failing skill again from its record returns the same bytes', () => {
  fc.assert(
    fc.property(workspace, (random) => assertReplays(requestIn(random), filesOf(random), 'file:///w/')),
    cases(100),
  );
});

test('the digest of a used artifact is the digest of its text', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const request = requestOf(one);
      const entries = request.skillPackage.artifacts.map(
        ({ id, span }) => [id, sha256(one.text.slice(span.start, span.end))] as const,
      );
      const digests = new Map(entries);
      for (const { id, digest } of recordOf(compose(request)).usedArtifacts) assert.equal(digest, digests.get(id));
    }),
    cases(50),
  );
});
