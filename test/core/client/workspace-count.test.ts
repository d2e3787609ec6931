/** The entry of the status bar about all skills, and when a new user sees the only notification. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countForSome,
  countListed,
  decideNotice,
  groupedByLoss,
  withoutLoss,
  worstOf,
} from '../../../client/src/views/workspace-count.ts';
import type { ListsStatus, Status } from '../../../server/src/protocol.ts';

const lists: ListsStatus = {
  skills: 12,
  notListed: 0,
  cut: 0,
  isMinimum: false,
  withoutTarget: 0,
  clients: [],
  onlyFor: [],
};
const fine: Status = {
  ready: true,
  skills: 12,
  inWorkspace: 12,
  findings: { errors: 0, warnings: 0, infos: 0, hints: 0 },
  lists,
};
const faulty: Status = { ...fine, lists: { ...lists, notListed: 2 } };
const wrong: Status = { ...fine, findings: { errors: 3, warnings: 0, infos: 0, hints: 0 } };

describe('the entry', () => {
  const kindOf = (counts: Partial<ListsStatus>, findings: Status['findings']) =>
    worstOf({ ...lists, ...counts }, findings).kind;

  it('names the most important loss or kind of finding', () => {
    const all = { errors: 3, warnings: 4, infos: 0, hints: 0 };
    assert.deepEqual(worstOf({ ...lists, notListed: 2, cut: 1 }, all), { kind: 'not-listed', count: 2 });
    assert.deepEqual(worstOf({ ...lists, cut: 1 }, all), { kind: 'errors', count: 3 });
    assert.deepEqual(worstOf({ ...lists, cut: 1 }, { errors: 0, warnings: 4, infos: 0, hints: 0 }), {
      kind: 'cut',
      count: 1,
      isMinimum: false,
    });
    assert.deepEqual(worstOf(lists, { errors: 0, warnings: 4, infos: 0, hints: 0 }), { kind: 'warnings', count: 4 });
    const onlyFor = [{ clients: ['Claude Code'], skills: 6 }];
    assert.equal(worstOf({ ...lists, onlyFor }, all).kind, 'errors');
    assert.deepEqual(worstOf({ ...lists, onlyFor }, { errors: 0, warnings: 4, infos: 0, hints: 0 }), {
      ...{ kind: 'only-for', groups: onlyFor, warnings: 4 },
    });
  });

  it('names hints only if there is nothing else, and is not fine with them', () => {
    assert.deepEqual(worstOf(lists, { errors: 0, warnings: 0, infos: 1, hints: 1 }), { kind: 'hints', count: 2 });
    assert.equal(kindOf({}, { errors: 0, warnings: 1, infos: 0, hints: 2 }), 'warnings');
  });

  it('does not name one of several groups of skills that are only for some clients', () => {
    const group = (skills: number, ...clients: readonly string[]) => ({ clients, skills });
    const equal = [group(6, 'Claude Code'), group(6, 'OpenAI Codex')];
    assert.deepEqual(countForSome(12, equal), { count: 12, isEachForOne: true });
    assert.deepEqual(countForSome(13, equal), { count: 12, isEachForOne: false });
    assert.deepEqual(countForSome(6, [group(4, 'Claude Code'), group(2, 'OpenAI Codex', 'Zed')]), {
      ...{ count: 6, isEachForOne: false },
    });
  });

  it('says that all is fine only if all files have been checked', () => {
    assert.equal(kindOf({}, { errors: 0, warnings: 0, infos: 0, hints: 0 }), 'fine');
    assert.equal(kindOf({}, null), 'unchecked');
    assert.equal(kindOf({ cut: 1 }, null), 'cut');
  });

  it('has the same numbers as the view, which also shows skills from elsewhere', () => {
    const row = { isInWorkspace: true, notListedBy: null };
    const rows = [row, { ...row, notListedBy: [] }, { ...row, notListedBy: ['Zed'] }, { ...row, isInWorkspace: false }];
    assert.deepEqual(countListed(rows), { skills: 3, notListed: 1 });
  });

  it('says that no loss is known only of clients that have every skill', () => {
    const client = (name: string) => ({ name, skills: 12, notListed: 0, cut: 0, isMinimum: false });
    const [claude, codex, code] = [client('Claude Code'), client('OpenAI Codex'), client('VS Code')];
    const onlyFor = [
      { clients: ['Claude Code', 'VS Code'], skills: 6 },
      { clients: ['OpenAI Codex', 'VS Code'], skills: 6 },
    ];
    assert.deepEqual(withoutLoss({ clients: [claude, codex, code], onlyFor }), ['VS Code']);
    assert.deepEqual(withoutLoss({ clients: [claude, codex, code], onlyFor: onlyFor.slice(0, 1) }), [
      'Claude Code',
      'VS Code',
    ]);
    assert.deepEqual(withoutLoss({ clients: [claude, { ...codex, cut: 1 }], onlyFor: [] }), ['Claude Code']);
  });

  it('names clients with equal losses together', () => {
    const clients = ['Claude Code', 'VS Code', 'Zed'].map((name) => ({ name }));
    assert.deepEqual(
      groupedByLoss(clients, ({ name }) => (name === 'VS Code' ? '2 of 3' : '1 of 3')),
      [
        { loss: '1 of 3', names: ['Claude Code', 'Zed'] },
        { loss: '2 of 3', names: ['VS Code'] },
      ],
    );
  });
});

describe('the notification', () => {
  const newUser = { isKnown: false, isTrusted: true, hasNotified: false };

  it('appears for a new user whose skills have errors or are not listed', () => {
    assert.equal(decideNotice(faulty, newUser), 'show');
    assert.equal(decideNotice(wrong, newUser), 'show');
  });

  it('never appears if all is fine, or for skills outside the workspace', () => {
    assert.equal(decideNotice(fine, newUser), 'never');
    assert.equal(decideNotice({ ...fine, findings: { errors: 0, warnings: 9, infos: 0, hints: 0 } }, newUser), 'never');
    assert.equal(decideNotice({ ...wrong, inWorkspace: 0 }, newUser), 'never');
  });

  it('never appears for a user who knows the extension, and never as the second notification', () => {
    assert.equal(decideNotice(faulty, { ...newUser, isKnown: true }), 'never');
    assert.equal(decideNotice(faulty, { ...newUser, hasNotified: true }), 'never');
  });

  it('waits until the workspace is read, checked and trusted', () => {
    assert.equal(decideNotice({ ...faulty, ready: false, lists: null, findings: null }, newUser), 'later');
    assert.equal(decideNotice({ ...faulty, findings: null }, newUser), 'later');
    assert.equal(decideNotice(faulty, { ...newUser, isTrusted: false }), 'later');
  });
});
