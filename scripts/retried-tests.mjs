// A reporter for vitest: a test that passed at the second try passed, and why it had not at the first is told all the same.
// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from a default export.
export default class RetriedTests {
  onTestCaseResult(test) {
    if ((test.diagnostic()?.retryCount ?? 0) === 0 || !test.ok()) return;
    const errors = test.result().errors?.map(({ message, stacks = [] }) => {
      const [place] = stacks;
      return place === undefined ? message : `${message}\n  at ${place.file}:${place.line}`;
    });
    console.log(`Tried again: ${test.module.relativeModuleId} > ${test.fullName}\n${(errors ?? []).join('\n')}`);
  }
}
