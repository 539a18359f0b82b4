// The privacy notice that the shop is shipped with. It says what this program does; what the shop's owner does besides
// belongs into a version of their own.

export const FIRST_PUBLISHED = new Date("2026-11-25T00:00:00Z");

export const FIRST_NOTICE = `# What we keep

Of agents: your username, email, phone, password and PIN (both only as digests that nobody can read back),
your orders, every change of your wallet, your payments, your messages to support, and where you are logged
in. If you register people for MTN AFA: their name, number, location and Ghana Card number, which is
encrypted.

Of customers: the number that a bundle was bought for, the bundle and the time. If an agent has saved your
name beside your number, that name too.

# Why

To sell and deliver data bundles, to keep your money safe, to answer you when something goes wrong, and
because the law wants the books of a business to be kept.

# Who else sees it

The supplier that delivers a bundle gets the number and the bundle. Paystack gets your email, the amount and,
for mobile money, your number. The companies that carry our SMS and emails get the number or address and the
text. MTN gets what you enter for AFA. Nobody gets more, and we do not sell it.

# How long

The list below says for each kind of data how long we keep it, and why.

# What you can ask for

Take a copy of your data, correct it, or delete your account under Profile, Your data. If you are a
customer, open "Your number", prove that the number is yours by SMS, and see or erase what we keep about it.
What we must keep and why is said there.

If something about your data worries you, write to our support. You can also complain to the Data Protection
Commission of Ghana (dataprotection.org.gh), under the Data Protection Act, 2012 (Act 843).`;
