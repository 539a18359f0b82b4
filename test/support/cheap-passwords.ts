// Password hashes of tests, with the least work that argon2 can do: a whole run makes thousands, and each would take
// 30 ms. The shop's real setting has a test of its own, in a process without this.
const { hash } = Bun.password;

Bun.password.hash = (password) => hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
