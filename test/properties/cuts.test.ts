/** A valid sample that ends anywhere: its findings are near the end or about missing text, and do not cascade. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../server/src/finding.ts';
import { stride } from '../random.ts';
import { samples, soundSamples } from './corpus.ts';
import { findingsAt, open, ROOT, shown } from './opened.ts';

/**
 * Rules with one finding for each lost item, such as a key, a field of an example, an artifact, the scope of a tool or
 * the step of a value. All findings of these rules are correct, and the lost text limits the number of findings.
 */
const MISSING = new Set([
  'missing-key',
  'missing-input-schema',
  'missing-output-schema',
  'missing-composition',
  'missing-required-field',
  'missing-gate',
  'missing-scope',
  'missing-owner',
  'missing-framing',
  'missing-include',
  // The variant that distinguishes two templates is below the heading.
  'duplicate-artifact',
  'unknown-artifact',
  'unknown-scope',
  'example-mismatch',
  'invalid-sample',
  // A branch has no step yet.
  'invalid-execution',
  'undeclared-tool',
  'undeclared-interrupt',
  'unknown-step',
  'effects-understated',
  'operation-understated',
  'agent-skill-missing-key',
]);

/** The maximum number of errors from one cut, for example for a tag, its block and a string in the tag. */
const MOST = 3;

const workspace = open(Object.fromEntries(samples));

/** The distance between the offsets that are tried. */
const STEP = stride(149);

describe('errors are few and near the end in a truncated copy of', () => {
  for (const [path, text] of soundSamples) {
    it(path, () => {
      const uri = `${ROOT}/${path}`;
      for (let at = 0; at < text.length; at += STEP) {
        const cut = text.slice(0, at);
        workspace.apply({ kind: 'text', uri, text: cut });
        const errors = findingsAt(workspace, path).filter(({ severity }) => severity === 'error');
        const others = errors.filter(({ rule, message }) => !MISSING.has(rule) && !isOfLostSchema(message));
        assert.ok(others.length <= MOST, `${inWords(others)} in ${shown(cut)}`);
        const far = others.filter(({ span, rule }) => !isNear(cut, span.end) && rule !== 'template-syntax');
        const first = far.filter(({ span, rule }) => span.start > 1 || rule !== 'invalid-yaml');
        assert.deepEqual(
          first.filter(({ rule }) => rule !== 'missing-frontmatter'),
          [],
          `far from the cut: ${shown(cut)}`,
        );
      }
      workspace.apply({ kind: 'text', uri, text });
    });
  }
});

/** Returns whether the finding is about a reference to a part of a schema that was cut off. */
const isOfLostSchema = (message: string): boolean => message.includes('Unknown reference ');

/** Returns whether the offset is on the last line with text, or on the line before it. */
const isNear = (text: string, offset: number): boolean => (text.slice(offset).trimEnd().match(/\n/g)?.length ?? 0) <= 1;

const inWords = (findings: readonly Finding[]): string =>
  findings.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
