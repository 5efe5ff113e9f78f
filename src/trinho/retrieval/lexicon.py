"""Words that stand for one another in notes of software teams, in English and Vietnamese: a meaning a line.

The first word names the meaning. Vietnamese words of one syllable are left out, since without accents they are many
words at once.
"""

LEXICON = """
abbreviation, acronym, viết tắt
abnormal, odd, strange, weird, unusual, bất thường, kỳ lạ
abort, cancel, cancellation, call off, hủy bỏ, huỷ bỏ
above, over, exceed, more than, beyond, vượt quá, lớn hơn
accept, approve, approval, sign off, phê duyệt, chấp thuận, chấp nhận
acceptable, tolerable, chấp nhận được
access, permission, right, authorization, quyền truy cập, phân quyền, cấp quyền
accident, mishap, tai nạn
account, tài khoản
accountant, bookkeeping, accounting, kế toán
accuracy, precision, exactness, độ chuẩn
add, append, insert, introduce, thêm vào, bổ sung
address, địa chỉ
adjust, tune, tweak, tinh chỉnh, điều chỉnh
administrator, admin, quản trị viên
advantage, benefit, pro, gain, ưu điểm, lợi ích
advice, tip, hint, recommendation, recommend, lời khuyên, khuyến nghị
agree, agreement, consent, settle on, đồng ý, thoả thuận, thỏa thuận, thống nhất
alert, alarm, warning, warn, cảnh báo, báo động
algorithm, thuật toán
align, alignment, căn chỉnh
all night, overnight, qua đêm
allow, permit, may, cho phép, được phép
alternative, another way, instead, phương án khác, thay vì
always, every time, luôn luôn
amount, sum, số tiền
analysis, analyse, analyze, phân tích
announce, announcement, declare, claim, công bố, tuyên bố
anonymous, anonymize, ẩn danh
answer, reply, respond, response, trả lời, phản hồi
app, application, ứng dụng
appear, show up, look, xuất hiện
append-only, immutable, bất biến
appointment, cuộc hẹn
architecture, kiến trúc
archive, lưu trữ cũ
argument, parameter, tham số
arrive, arrival, delivered, đến nơi, giao tới
artifact, build output, sản phẩm dựng
ask, question, inquire, câu hỏi, thắc mắc
assert, assertion, khẳng định
asset, resource, tài nguyên
assign, allocate, dispatch, phân công, giao việc, gán cho
assume, assumption, suppose, giả định, giả sử
attach, attachment, đính kèm
attack, exploit, tấn công
attempt, try, retry, thử lại, làm lại
attention, notice, care, lưu ý, chú ý
audit, kiểm toán
authenticate, authentication, login, log in, sign in, signin, đăng nhập, xác thực
author, writer, tác giả
automatic, automatically, automated, tự động
average, mean, trung bình
avoid, prevent, refrain, steer clear, tránh dùng, né tránh
await, wait for, chờ đợi
aware, know, biết rõ
background, nền tảng, chạy nền
backup, back up, sao lưu, dự phòng
backward compatible, backwards compatible, tương thích ngược
bad, poor, wrong, tồi tệ, kém chất lượng
bag, sack, package, parcel, kiện hàng, gói hàng
balance, số dư
ban, forbid, forbidden, prohibit, not allowed, must not, cấm dùng, không được phép, nghiêm cấm
bandwidth, băng thông
bank, ngân hàng
barcode, qr code, mã vạch
baseline, reference point, mốc so sánh
batch, lô hàng, theo lô
battery, power cell, pin yếu, ắc quy
begin, start, launch, kick off, bắt đầu, khởi động, khởi chạy
beginner, novice, người mới bắt đầu
behavior, behaviour, hành vi
below, under, less than, dưới mức, nhỏ hơn
benchmark, đo hiệu năng
beta, early access, bản thử
between, in the middle, ở giữa
bill, invoice, receipt, hoá đơn, hóa đơn
blame, responsible, responsibility, owner, in charge, look after, chịu trách nhiệm, phụ trách
block, prevent, stop, ngăn chặn, ngăn cản
bluetooth, ble
board, dashboard, bảng điều khiển, bảng theo dõi
board, pcb, bo mạch
boot, start up, startup, khởi động
border, edge, boundary, biên giới, ranh giới
boss, manager, lead, head of, trưởng nhóm, quản lý
bottleneck, nút thắt
bounce, rebound
branch naming, tên nhánh
branch, nhánh git
break, broken, fail, failure, crash, malfunction, go wrong, hỏng hóc, thất bại, bị lỗi
bridge, cầu nối
bring, carry, mang theo
broker, kafka, message queue, hàng đợi tin nhắn
browser, safari, chrome, firefox, trình duyệt
brush, wash, rửa sạch
budget, ngân sách
buffer, vùng đệm
bug, defect, error, fault, issue, lỗi phần mềm, sai sót, sự cố
build, compile, biên dịch, đóng gói
bundle, package size, gói mã
bus, i2c, spi, đường truyền
busy, occupied, bận rộn
button, nút bấm, nút nhấn
buy, purchase, order, mua hàng, đặt hàng, đặt mua
buyer, customer, client, shopper, consumer, khách hàng, người mua
buzzer, beeper, còi báo
cache, bộ nhớ đệm, bộ đệm
calendar, schedule, timetable, lịch trình, lịch làm việc, thời gian biểu
calibrate, calibration, hiệu chuẩn, hiệu chỉnh
call, invoke, gọi hàm
callback, webhook, hook, notification
camera, máy ảnh
canary, gradual rollout, staged rollout, phát hành dần
capacity, dung lượng, sức chứa
capital letter, uppercase, chữ hoa
capture, take payment, thu tiền
card, credit card, debit card, thẻ tín dụng
cart, basket, giỏ hàng
case study, nghiên cứu tình huống
catch, capture, bắt được
category, class, nhóm hàng, danh mục, hạng mục
cause, reason, nguyên nhân, lý do
caution, careful, carefully, cẩn thận, thận trọng
ceiling, upper limit, giới hạn trên
certain, sure, confident, confidence, chắc chắn, độ tin cậy
certificate, chứng chỉ, chứng thư
change, modify, modification, alter, edit, thay đổi, chỉnh sửa, sửa đổi
changelog, release notes, nhật ký thay đổi
channel, kênh liên lạc
character, letter, ký tự, chữ cái
chart, plot, graph, diagram, biểu đồ, đồ thị
cheap, cost, price, expensive, chi phí, giá cả, giá tiền
check, verify, validate, validation, inspect, kiểm tra, xác minh, thẩm tra
checklist, danh sách kiểm tra
checkout, pay, payment, thanh toán, trả tiền
checkpoint, weights, pretrained, trọng số
checksum, hash, digest, crc, mã băm
child, kid, trẻ em
choice, option, alternative, lựa chọn
choose, pick, select, selection, lựa chọn
chunk, piece, part, segment, fragment, đoạn nhỏ, mảnh nhỏ
ci, continuous integration, pipeline, build server, tích hợp liên tục
circuit, mạch điện
city, town, thành phố
class, lớp học
classify, classification, grade, grading, phân loại, xếp hạng
clean, cleanup, tidy, purge, dọn dẹp, làm sạch
clear, obvious, plain, rõ ràng
client, máy khách
clipboard, bảng tạm
clock, time, timer, đồng hồ
close, shut, shut down, đóng lại, đóng cửa
cloud, đám mây
cluster, cụm máy
code review, review, reviewer, duyệt mã, rà soát
code, source, mã nguồn
coding style, convention, style guide, quy ước, phong cách
coffee, cà phê
cold start, khởi động nguội
colleague, teammate, coworker, co-worker, đồng nghiệp
collect, gather, thu thập, thu gom
colour, color, màu sắc
column, field, cột dữ liệu, trường dữ liệu
command line, terminal, shell, cli, dòng lệnh
command, câu lệnh, lệnh chạy
comment, remark, bình luận, nhận xét, ghi chú
commit, lần commit
common, shared, dùng chung
communicate, communication, contact, reach, liên hệ, liên lạc
compact, shrink, thu gọn
company, firm, công ty, doanh nghiệp
compare, comparison, so sánh
compatible, compatibility, tương thích
competition, contest, cuộc thi
complain, complaint, khiếu nại, phàn nàn
complete, finish, finished, done, hoàn thành, hoàn tất, kết thúc
component, widget, thành phần
compress, compression, nén dữ liệu
compute, calculate, calculation, tính toán
concern, worry, lo ngại
concurrent, parallel, simultaneous, at once, at the same time, song song, đồng thời, cùng lúc
condition, circumstance, điều kiện, hoàn cảnh
config, configuration, setting, option, preference, cấu hình, cài đặt, thiết lập, tuỳ chọn, tùy chọn
confirm, confirmation, xác nhận
conflict, clash, xung đột
confusion, misunderstanding, nhầm lẫn, hiểu nhầm
connect, connection, link, kết nối, liên kết
consequence, impact, effect, hậu quả, tác động, ảnh hưởng
consistent, consistency, nhất quán
console, bảng điều khiển
constant, hằng số
constraint, restriction, ràng buộc, hạn chế
contact person, point of contact, người liên hệ
container, docker, vùng chứa
content, nội dung
continue, go on, keep going, tiếp tục
contract, hợp đồng
contractor, freelancer, nhà thầu, cộng tác viên
contribute, contribution, đóng góp
control, kiểm soát
convenient, handy, thuận tiện
convert, transform, conversion, chuyển đổi, biến đổi
copy, duplicate, clone, sao chép, nhân bản, bản sao
core, kernel, cốt lõi
corner case, edge case, trường hợp biên
correct, right, accurate, accuracy, chính xác, độ chính xác
corrupt, corrupted, damaged, hư hỏng, bị hỏng
count, number of, how many, đếm số, số lượng
country, nation, quốc gia
coupon, voucher, discount, promo, promotion, khuyến mãi, giảm giá, mã giảm
courier, driver, rider, delivery person, tài xế, người giao hàng, shipper
coverage, code coverage, độ phủ, độ bao phủ
crash, outage, incident, downtime, sự cố, ngừng hoạt động
crawl, scrape, thu thập dữ liệu web
create, make, generate, produce, tạo ra, tạo mới, sinh ra, khởi tạo
criterion, measure, tiêu chí
cron, scheduled job, nightly job, tác vụ định kỳ
cross-platform, đa nền tảng
crowded, busy hour, peak hour, rush hour, giờ cao điểm
csv, spreadsheet, excel, bảng tính
currency, money, tiền tệ, đơn vị tiền
current, present, now, at the moment, these days, hiện tại, hiện nay, bây giờ
cursor, con trỏ
custom, customize, tailor, tuỳ biến, tùy biến
cut-off, cutoff, threshold, ngưỡng cắt, điểm cắt
daily, every day, each day, hằng ngày, hàng ngày, mỗi ngày
damage, harm, thiệt hại, hư hại
dark, tối màu
data set, dataset, tập dữ liệu, bộ dữ liệu
data, dữ liệu
database, db, cơ sở dữ liệu
date, ngày tháng
dead letter, dlq, poison message
deadline, due date, time limit, hạn chót, thời hạn
deal with, handle, treat, process, xử lý, giải quyết
debt, công nợ
debug, debugging, troubleshoot, gỡ lỗi, tìm lỗi
decade, thập kỷ
decide, decision, resolve, quyết định
decouple, tách rời
deduplicate, dedup, duplicate removal, loại trùng, khử trùng lặp
default, mặc định
degrade, downgrade, suy giảm, hạ cấp
delay, wait, late, postpone, chậm trễ, trì hoãn, chờ đợi
delete, remove, drop, erase, wipe, xoá bỏ, xóa bỏ, loại bỏ, gỡ bỏ
deliver, delivery, shipping, shipment, giao hàng, vận chuyển
demand, nhu cầu
demo, demonstration, bản trình diễn
department, division, phòng ban
depend, depends on, phụ thuộc vào
dependency, library, package, thư viện, phụ thuộc
deploy, deployment, release, ship, rollout, roll out, go live, triển khai, phát hành, ra mắt
deposit, tiền cọc, đặt cọc
deprecated, obsolete, retired, phased out, no longer, lỗi thời, ngừng hỗ trợ, không còn
design, thiết kế
destination, target, điểm đến, đích đến
detail, chi tiết
detect, detection, discover, phát hiện
determine, find out, figure out, xác định, tìm ra
deterministic, reproducible, repeatable, tái lập, lặp lại được
developer, engineer, programmer, lập trình viên, kỹ sư, nhà phát triển
development, dev, phát triển
device, hardware, gadget, thiết bị, phần cứng
diagnose, diagnosis, chẩn đoán
dialect, giọng vùng miền
difference, gap, discrepancy, mismatch, chênh lệch, khác biệt, sai lệch
different, distinct, khác nhau
dimension, chiều dữ liệu
directly, straight, trực tiếp
director, ceo, giám đốc
directory, folder, thư mục
dirty, unclean, bẩn thỉu
disable, turn off, switch off, deactivate, vô hiệu, tắt đi
disappear, vanish, go missing, biến mất
disaster, catastrophe, thảm hoạ, thảm họa
disconnect, offline, drop out, mất kết nối, ngắt kết nối
discover, find, phát hiện
discuss, discussion, meeting, talk, thảo luận, trao đổi, cuộc họp, buổi họp
disk, storage, ổ đĩa, lưu trữ
dislike, hate, don't like, không thích
display, show, render, hiển thị, trình bày
distance, khoảng cách
distribute, distribution, phân phối, phân bố
document, documentation, docs, tài liệu
domain name, hostname, dns, tên miền
door, gate, cửa ra vào
double, twice, two times, gấp đôi, hai lần
doubt, uncertain, unsure, nghi ngờ
download, fetch, pull, grab, tải xuống, tải về
draft, sketch, outline, bản nháp, phác thảo
drain, exhaust, deplete, run out, hao pin, cạn kiệt, hết pin
drill, exercise, rehearsal, diễn tập
drive, lái xe
driver, device driver, trình điều khiển
dry run, chạy thử
due, owed, đến hạn
dump, snapshot, bản chụp
duration, how long, period, bao lâu, khoảng thời gian
early, soon, sớm hơn
edge, cạnh biên
edit, editor, trình soạn thảo
effort, công sức
elastic, autoscale, tự co giãn
electric, electricity, power, điện năng, nguồn điện
email, mail, thư điện tử, hộp thư
emergency, khẩn cấp
emit, broadcast, phát ra
employee, staff, worker, personnel, nhân viên, người lao động, công nhân
empty state, trạng thái trống
empty, blank, để trống, trống rỗng
enable, turn on, switch on, activate, kích hoạt, bật lên
encode, encoding, bảng mã
encourage, khuyến khích
encrypt, encryption, mã hoá, mã hóa
endpoint, api, route, điểm cuối
energy, năng lượng
enforce, bắt buộc thực hiện
enough, sufficient, đầy đủ
enter, type in, nhập vào
entire, whole, toàn bộ
entry point, điểm vào
enumerate, liệt kê
environment variable, env var, biến môi trường
environment, môi trường
epoch, vòng huấn luyện
equal, same, identical, giống nhau, bằng nhau
equipment, trang thiết bị
escalate, escalation, chuyển cấp trên
estimate, estimation, ước lượng, ước tính
evaluate, evaluation, assess, assessment, đánh giá
evening, buổi tối
event, sự kiện
every week, weekly, hằng tuần, hàng tuần, mỗi tuần
exact, exactly, đúng y
exam, test exam, kỳ thi
example, sample, ví dụ
exceed, go over, vượt mức
exception, ngoại lệ
exchange, trade, swap, trao đổi
exclude, leave out, omit, loại trừ
exist, available, tồn tại, có sẵn
expect, expectation, kỳ vọng, mong đợi
expense, spend, chi tiêu, khoản chi
experience, kinh nghiệm, trải nghiệm
experiment, trial, pilot, a/b test, thử nghiệm, thí nghiệm
expert, specialist, chuyên gia
expire, expiry, expiration, ttl, hết hạn, quá hạn
explain, explanation, giải thích
export, xuất dữ liệu, xuất file
expose, exposure, để lộ
extension, plugin, add-on, tiện ích
external, third party, third-party, bên ngoài, bên thứ ba
extra, additional, thêm nữa, bổ sung
extract, pull out, trích xuất
face, khuôn mặt, gương mặt
factor, yếu tố, hệ số
factory, plant, mill, nhà máy, xưởng sản xuất
failover, switch over, chuyển dự phòng
fair, công bằng
fallback, plan b, phương án dự phòng
false alarm, false positive, báo động giả, dương tính giả
familiar, quen thuộc
farm, farmer, grower, nông dân, nông trại
fast, quick, speed, performance, hiệu năng, tốc độ, nhanh chóng
fatal, nghiêm trọng
favorite, favourite, yêu thích
feature flag, flag, toggle, feature switch, cờ tính năng
feature, functionality, tính năng, chức năng
fee, commission, charge, phí dịch vụ, hoa hồng
feedback, góp ý, phản hồi
fetch, retrieve, lấy về
file, tập tin, tệp tin
fill, fill in, điền vào
filter, bộ lọc, lọc dữ liệu
final, last step, cuối cùng
finance, financial, tài chính
fine, penalty, tiền phạt
fine-tune, fine-tuning, train, training, huấn luyện, tinh chỉnh
firewall, tường lửa
firmware, vi chương trình
fit, suitable, phù hợp
fix, repair, mend, solve, patch, remedy, workaround, sửa lỗi, khắc phục, cách sửa
fixture, test data, dữ liệu mẫu
flaky, unstable, intermittent, chập chờn, không ổn định
flash, rom, bộ nhớ flash
fleet, đội xe
flexible, linh hoạt
float, decimal, floating point, số thực, số thập phân
flow, luồng xử lý
focus, tập trung
follow, comply, obey, tuân theo, làm theo
font, phông chữ
food, meal, đồ ăn, thức ăn
forecast, predict, prediction, dự báo, dự đoán
foreign key, khoá ngoại, khóa ngoại
forget, quên mất
form, biểu mẫu
format, formatting, định dạng
formatter, lint, linter, prettier, eslint
framework, khung phần mềm
fraud, scam, gian lận, lừa đảo
free, no charge, miễn phí
freeze, frozen, code freeze, đóng băng
frequency, how often, rate, tần suất, tần số
fresh, freshness, độ tươi mới
friday, thứ sáu
frontend, front end, ui, user interface, giao diện
full, đầy ắp
function call, lời gọi hàm
function, method, hàm số, phương thức
future, tương lai
garbage, trash, rác thải
gateway, cổng kết nối
general, overall, tổng quát
generate, sinh mã
gift, present, quà tặng
git, version control, quản lý phiên bản
give up, abandon, drop, từ bỏ, bỏ cuộc
global, worldwide, toàn cầu
glossary, terminology, thuật ngữ
goal, target, aim, objective, mục tiêu, chỉ tiêu
goods, product, item, article, hàng hoá, hàng hóa, sản phẩm, mặt hàng
government, nhà nước, chính phủ
graph database, cơ sở dữ liệu đồ thị
guarantee, ensure, đảm bảo, bảo đảm
guess, đoán mò
guide, tutorial, instruction, manual, hướng dẫn
half, một nửa
hang, stuck, freeze up, treo máy, bị treo
hardware revision, board revision, phiên bản phần cứng
hash, băm dữ liệu
headcount, nhân sự
header, tiêu đề
health check, healthcheck, probe, kiểm tra sức khoẻ
heap, vùng nhớ
heat, temperature, nhiệt độ
height, chiều cao
help desk, customer support, chăm sóc khách hàng
hide, mask, conceal, blur, anonymize, redact, che giấu, ẩn đi, làm mờ, ẩn danh
high, higher, cao hơn
highlight, nổi bật
hire, onboarding, newcomer, new hire, nhân viên mới, người mới
history, lịch sử
hold, keep back, giữ lại
holiday, vacation, leave, day off, nghỉ phép, ngày nghỉ, nghỉ lễ
home page, homepage, landing page, trang chủ
hook, callback, móc nối
host, server, machine, máy chủ
hot, popular, phổ biến
hour, giờ đồng hồ
human, manual review, con người
humidity, moisture, độ ẩm
hyperparameter, siêu tham số
icon, biểu tượng
id, identifier, định danh, mã số
idea, ý tưởng
idempotent, idempotency, bất biến khi lặp
idle, sleep, ngủ đông, chế độ nghỉ
ignore, skip, bỏ qua
illegal, unlawful, trái luật
image, picture, photo, photograph, hình ảnh, bức ảnh, ảnh chụp
immediately, at once, right away, ngay lập tức
implement, implementation, cài đặt, hiện thực
import, nhập dữ liệu
important, critical, key, quan trọng
impossible, không thể
improve, improvement, enhance, optimize, optimise, cải thiện, cải tiến, tối ưu
incentive, bonus, thưởng thêm
include, contain, bao gồm, chứa đựng
increase, grow, rise, raise, tăng lên, gia tăng
indent, indentation, thụt lề, thụt đầu dòng
independent, độc lập
index, chỉ mục
individual, cá nhân
industry, ngành công nghiệp
inference, suy luận
inform, notify, notification, tell, thông báo, báo tin
infrastructure, hạ tầng
initial, first, ban đầu, đầu tiên
initialize, initialise, init, khởi tạo
injection, inject, chèn mã
input, đầu vào
inside, within, bên trong
inspect, soi xét
install, installation, set up, setup, thiết lập, cài đặt
instance, thực thể
insurance, bảo hiểm
integer, whole number, số nguyên
integrate, integration, tích hợp
interact, interaction, tương tác
interest, lãi suất
internal, internals, nội bộ
internet, network, web, mạng lưới, mạng internet
interrupt, isr, interrupt handler, hàm ngắt, xử lý ngắt
interview, phỏng vấn
invalid, not valid, không hợp lệ
inventory, stock, warehouse, tồn kho, kho hàng
investigate, look into, điều tra, tìm hiểu
invite, invitation, lời mời
isolate, isolation, cô lập, cách ly
iterate, iteration, vòng lặp
jitter, dao động
job, task, work, công việc, nhiệm vụ, tác vụ
join, tham gia
json, định dạng json
judge, đánh giá
jump, nhảy vọt
kept, retained, được giữ
key, secret, credential, token, password, passphrase, mật khẩu, khoá bí mật, khóa bí mật
keyboard, bàn phím
kilogram, kg, cân nặng
kind of, loại hình
know-how, bí quyết
knowledge, kiến thức, tri thức
kubernetes, k8s
label, annotation, annotate, tag, gán nhãn, chú thích
landing, cập bến
language, ngôn ngữ
laptop, computer, pc, máy tính
large, big, huge, to lớn, kích thước lớn
last, most recent, gần đây, mới nhất, gần nhất
latency, response time, độ trễ
law, regulation, legal, compliance, quy định, pháp luật, tuân thủ
layer, tầng kiến trúc
layout, bố cục
lazy, lazily, on demand, khi cần
leader, người dẫn dắt
leak, rò rỉ
learning rate, tốc độ học
ledger, journal, bút toán, sổ cái
legacy, old system, hệ thống cũ
length, chiều dài, độ dài
lesson, bài học
level, mức độ, cấp độ
library version, phiên bản thư viện
licence, license, giấy phép
life, lifetime, vòng đời
light, led, đèn báo
limit rate, rate limit, throttle, giới hạn tần suất
limit, maximum, max, cap, at most, upper bound, giới hạn, tối đa
line, đường thẳng
lineage, nguồn gốc dữ liệu
link, hyperlink, đường dẫn
linux, hệ điều hành
list, danh sách
load balancer, cân bằng tải
load, tải trọng
loan, khoản vay
local, on the machine, cục bộ, tại máy
locale, localization, translation, translate, i18n, bản dịch, dịch thuật, địa phương hoá
location, place, position, gps, vị trí, địa điểm
lock, khoá dòng, khóa dòng
log in, đăng nhập
log, logging, nhật ký, ghi log
logo, brand, thương hiệu
loop, vòng lặp
loss, lost, lose, mất mát, thất lạc
lossless, không mất dữ liệu
lot, many, nhiều lần
low, lower, thấp hơn
machine learning, ml, học máy
main, master, trunk, nhánh chính
maintain, maintenance, upkeep, bảo trì, duy trì
maintenance window, giờ bảo trì
majority, most of, đa số
malicious, hostile, độc hại
manage, management, quản lý
manager, quản lý viên
manual, by hand, manually, thủ công, bằng tay
map, bản đồ
margin, lề trang
mark, đánh dấu
market, thị trường
mask, che dữ liệu
match, khớp nhau
material, vật liệu
maximum size, kích thước tối đa
maximum, longest, highest, tối đa, lớn nhất
measure, measurement, metric, đo lường, phép đo, số liệu
meeting, standup, stand-up, cuộc họp
member, thành viên
memory, ram, bộ nhớ
mention, nhắc đến
menu, thực đơn
merchant, seller, shop owner, store owner, người bán, nhà bán
merge conflict, xung đột gộp
merge, join, combine, gộp lại, hợp nhất, kết hợp
message broker, hàng đợi thông điệp
message, tin nhắn, thông điệp
metadata, siêu dữ liệu
middle, trung gian
middleware, phần mềm trung gian
midnight, nửa đêm
migrate, migration, di chuyển dữ liệu, chuyển đổi dữ liệu
minimum, min, lowest, at least, tối thiểu, ít nhất
minute, phút đồng hồ
mirror, bản sao gương
misleading, confusing, gây nhầm lẫn
miss, missing, absent, lack, thiếu hụt, bị thiếu
mistake, wrong, incorrect, nhầm lẫn, sai lầm, không đúng
mobile, phone, smartphone, handset, điện thoại, di động
mock, stub, fake, giả lập, mô phỏng
mode, chế độ
model, mô hình
module, package, mô-đun, gói phần mềm
moment, thời điểm
monday, thứ hai
monitor, monitoring, observe, watch, giám sát, theo dõi
monorepo, kho mã chung
month, monthly, hằng tháng, hàng tháng, mỗi tháng
morning, buổi sáng
motor, động cơ
move, relocate, di chuyển, dời đi
multiple, several, many, nhiều loại
mutex, lock, khoá đồng bộ
name, naming, rename, đặt tên, đổi tên, tên gọi
nearest, closest, gần nhất
need, require, requirement, must, have to, yêu cầu, bắt buộc, cần phải
negative, số âm, tiêu cực
neighbor, neighbour, lân cận
neural network, mạng nơ-ron
new year, tết nguyên đán, tết âm lịch
night, overnight, nightly, ban đêm, hằng đêm
non-null, not null, không rỗng
normal, usual, expected, bình thường, thông thường
not working, broken down, down, ngừng chạy
note, ghi chú
notebook, sổ tay
null, nil, missing value, giá trị rỗng
number, digit, con số, chữ số
object, đối tượng
obligation, duty, nghĩa vụ
obvious, hiển nhiên
occur, happen, take place, xảy ra, diễn ra
office, văn phòng
official, chính thức
offline, no network, without network, ngoại tuyến, mất mạng, không có mạng
offset, bù trừ
older, cũ hơn
on call, on-call, pager, duty, standby, trực ca, ca trực, trực sự cố
once, only once, một lần
one by one, từng cái một
online, trực tuyến
open, mở ra
operate, operation, vận hành, hoạt động
operating system, os, hệ điều hành
opinion, ý kiến
optional, tuỳ chọn, không bắt buộc
order of, sequence, thứ tự, trình tự
order, đơn hàng
organisation, organization, tổ chức
original, bản gốc
outage, unavailable, gián đoạn
outbox, hộp thư đi
outlier, giá trị ngoại lai
output, đầu ra
outside, bên ngoài
overdue, late, trễ hạn
overflow, tràn số
overload, quá tải
override, ghi đè
overwrite, overwritten, ghi đè
owner, chủ sở hữu, người sở hữu
package manager, npm, pnpm, pip, quản lý gói
padding, khoảng đệm
page, trang web
pagination, paging, phân trang
paper, giấy tờ
parse, parser, phân tích cú pháp
partial, part of, một phần
participate, tham gia
partition, phân vùng
partner, đối tác
pass, through, vượt qua
password, mật khẩu
patent, bằng sáng chế
pattern, mẫu hình
pause, suspend, tạm dừng, tạm ngưng
pay, salary, wage, lương bổng, tiền lương
payload, nội dung gói tin
peak, highest, cao điểm
penalty, hình phạt
pending, chờ xử lý
percent, percentage, share, phần trăm, tỷ lệ, tỉ lệ
periodic, regularly, định kỳ, thường xuyên
permanent, lâu dài, vĩnh viễn
persistence, storage, store, lưu trữ, lưu giữ
person, people, human, con người, mọi người
phase, giai đoạn
phone number, số điện thoại
physical, vật lý
pick up, pickup, collect, lấy hàng
pipeline, đường ống dữ liệu
pixel, điểm ảnh
plan, planning, roadmap, kế hoạch, lộ trình
platform, nền tảng
point, điểm số
policy, rule, guideline, quy tắc, nguyên tắc, chính sách, quy định
popup, modal, dialog, hộp thoại
port, cổng mạng
portable, di động
position, vị trí
possible, feasible, khả thi
postgres, postgresql
practice, thực hành
precision, độ chính xác
prefer, preference, rather, ưu tiên, ưa thích
prepare, preparation, chuẩn bị
pressure, áp lực, áp suất
prevent, phòng ngừa
previous, former, earlier, old, trước đây, trước đó
primary key, khoá chính, khóa chính
primary, main, chính yếu
principle, nguyên lý
print, printer
priority, urgent, important, khẩn cấp, quan trọng, mức ưu tiên
privacy, personal data, pii, riêng tư, dữ liệu cá nhân
private, riêng tư
probability, chance, xác suất
probation, thử việc
problem, trouble, vấn đề, rắc rối
process, procedure, workflow, quy trình, tiến trình, thủ tục
production data, real data, dữ liệu thật
production, prod, live, môi trường thật
professional, chuyên nghiệp
profile, hồ sơ
profiler, profiling, đo hiệu năng
profit, revenue, income, turnover, sales, doanh thu, lợi nhuận
progress, tiến độ, tiến triển
project, dự án
promise, commitment, sla, cam kết
proof of concept, poc, spike, prototype, nguyên mẫu, bản mẫu
proof, evidence, bằng chứng
property, thuộc tính
proposal, propose, suggest, suggestion, đề xuất, đề nghị, kiến nghị
protect, protection, bảo vệ
protocol, giao thức
prove, chứng minh
provide, cung cấp
provider, supplier, vendor, nhà cung cấp
proxy, máy chủ trung gian
public, công khai
publish, post, công bố, xuất bản
pull request, merge request, pr, yêu cầu gộp
punish, xử phạt
purpose, mục đích
push notification, thông báo đẩy
quality, chất lượng
quantity, amount, số lượng
query, truy vấn
question mark, dấu hỏi
queue, backlog, hàng đợi
quiet, silent, im lặng
quota, hạn mức
quote, trích dẫn
race condition, race, tranh chấp
radio, lora, sóng vô tuyến
random, ngẫu nhiên
range, khoảng cách, phạm vi
ratio, tỷ số
raw, unprocessed, dữ liệu thô
reach, đạt tới
reaction, phản ứng
read, đọc dữ liệu
readable, dễ đọc
reader, người đọc
ready, sẵn sàng
real time, realtime, thời gian thực
reboot, restart, khởi động lại
recall, thu hồi
receive, receiver, recipient, người nhận, nhận được
recommend, đề xuất
reconcile, reconciliation, recon, đối soát, đối chiếu
record, bản ghi
recover, recovery, restore, undo, revert, roll back, rollback, khôi phục, phục hồi, hoàn tác, quay lại
recruit, hiring, tuyển dụng
reduce, decrease, lower, cut, giảm bớt, cắt giảm
redundant, dư thừa
refactor, refactoring, restructure, tái cấu trúc
reference, tham chiếu, tham khảo
refresh, làm mới
refund, reimburse, money back, give back, hoàn tiền, hoàn trả, trả lại tiền
refuse, reject, decline, deny, denied, từ chối, bác bỏ
regarding, concerning, liên quan đến
regex, regular expression, biểu thức chính quy
region, area, zone, khu vực, vùng miền
register, registration, sign up, signup, đăng ký
regression, hồi quy
related, liên quan
relation, relationship, quan hệ
relay, forward, mesh, pass on, chuyển tiếp
reliable, reliability, robust, tin cậy, ổn định
remember, memory, ghi nhớ
remind, reminder, nhắc nhở
remote, remotely, từ xa
rent, lease, thuê nhà
repeat, again, lặp lại
replace, substitute, swap, thay thế, thay bằng
replica, replication, bản sao đọc
report, báo cáo
repository, repo, kho mã
reproduce, tái hiện
request, yêu cầu
research, study, nghiên cứu
reserve, reservation, đặt trước, đặt chỗ
reset, khởi động lại, đặt lại
residue, phần dư
resolution, độ phân giải
responsibility, trách nhiệm
responsive, phản hồi nhanh
rest, nghỉ ngơi
restaurant, nhà hàng
restrict, hạn chế
result, outcome, kết quả
retail, bán lẻ
retain, retention, keep, kept, stored for, giữ lại, lưu trữ, thời gian lưu
return, trả hàng, trả lại
reuse, dùng lại, tái sử dụng
review, xem lại
reward, phần thưởng
rewrite, viết lại
rice, grain, hạt gạo, lúa gạo
right now, ngay bây giờ
ring, bell, chuông báo
risk, danger, rủi ro, nguy cơ
road, street, đường phố
role, vai trò
rollback, roll back, quay lui
root cause, nguyên nhân gốc
rotate image, orientation, sideways, rotation, xoay ảnh
rotate, rotation, xoay vòng, luân phiên
round, rounding, làm tròn
route, path, itinerary, tuyến đường, lộ trình, đường đi
row, dòng dữ liệu, hàng dữ liệu
run, execute, execution, thực thi, chạy lệnh
runbook, playbook, sổ tay vận hành
runtime, thời gian chạy
safe, safety, secure, security, an toàn, bảo mật
sale, bán hàng
same day, trong ngày
sample, sampling, lấy mẫu, mẫu thử
sandbox, môi trường cô lập
saturday, thứ bảy
save money, tiết kiệm
save, store, lưu lại
scale, scaling, mở rộng
scan, quét mã
schema, lược đồ, cấu trúc bảng
school, university, trường học, đại học
scope, phạm vi
score, điểm số
screen, view, màn hình
script, kịch bản
scroll, cuộn trang
seal, niêm phong
search, find, look for, look up, tìm kiếm, tra cứu
season, mùa vụ
second, giây đồng hồ
secondary, thứ cấp
section, phần mục
seed, random seed, hạt giống
segment, phân khúc
send, submit, transmit, gửi đi, truyền tải
sensitive, nhạy cảm
sensor, probe, cảm biến
sentence, câu văn
separate, split, divide, tách riêng, phân chia, chia nhỏ
serial, uart, cổng nối tiếp
serialize, serialization, tuần tự hoá
server side, backend, back end, phía máy chủ
service level, mức dịch vụ
service, dịch vụ
session, phiên làm việc
severity, mức độ nghiêm trọng
share, chia sẻ
shell script, tập lệnh
shift change, between shifts, đổi ca, giao ca
shift, ca làm, ca làm việc
shipper, đơn vị giao hàng
shop, store, storefront, cửa hàng, gian hàng
short, brief, ngắn gọn
shut down, tắt máy
side effect, tác dụng phụ
sign, signature, chữ ký, ký tên
signal, tín hiệu
similar, alike, tương tự
simple, easy, đơn giản, dễ dàng
single, đơn lẻ
site, địa điểm
size, kích thước, kích cỡ
skill, kỹ năng
slot, khung giờ
slow, sluggish, lag, chậm chạp
smooth, mượt mà
snapshot, ảnh chụp nhanh
social network, mạng xã hội
socket, ổ cắm
software update, ota, firmware update, cập nhật phần mềm, nạp firmware
software, phần mềm
solution, giải pháp
sort, sắp xếp
source of truth, nguồn chuẩn
space, room, không gian, chỗ trống
spam, thư rác
special, đặc biệt
specification, spec, đặc tả
spike, sudden increase, tăng đột biến
split, chia tách
spread, lan truyền
stable, ổn định
staff only, nội bộ
staging, preview, test environment, môi trường thử
stakeholder, bên liên quan
stale, outdated, out of date, cũ rồi, lạc hậu
standard, tiêu chuẩn
standby, dự phòng nóng
startup, khởi nghiệp
state, status, condition, trạng thái, tình trạng
stateless, không trạng thái
statistics, thống kê
stay, ở lại
steal, theft, đánh cắp
step, bước đi
stop, halt, dừng lại
storage space, dung lượng lưu trữ
story, user story, câu chuyện người dùng
straight, thẳng hàng
strategy, chiến lược
stream, streaming, luồng dữ liệu
stress, load test, kiểm tải
strict, nghiêm ngặt
string, chuỗi ký tự
structure, cấu trúc
stub, mock, double, đối tượng giả
student, học sinh, sinh viên
style, phong cách
subject, chủ đề
subscription, subscribe, đăng ký theo dõi
succeed, success, successful, thành công
sudden, đột ngột
sunday, chủ nhật
supervisor, giám sát viên
supplier, nhà cung ứng
support, help, assist, hỗ trợ, giúp đỡ, trợ giúp
surprise, bất ngờ
survey, questionnaire, khảo sát
swap, hoán đổi
symptom, triệu chứng
sync, synchronize, synchronise, đồng bộ
syntax, cú pháp
system, hệ thống
tab, thẻ trình duyệt
table, bảng dữ liệu
tamper, giả mạo
tape, băng keo
target, đích ngắm
tax, vat, thuế giá trị gia tăng
teach, instruct, giảng dạy
team lead, tech lead, trưởng nhóm
team, squad, group, nhóm làm, đội ngũ
technical debt, tech debt, nợ kỹ thuật
technique, kỹ thuật
telemetry, analytics, tracking data, đo từ xa
temperature, nhiệt độ
template, boilerplate, khuôn mẫu, bản mẫu
temporary, tạm thời
tenant, khách thuê
term, thuật ngữ
terms of use, điều khoản
test, testing, kiểm thử, bài kiểm tra
text, văn bản
thread, luồng xử lý
thursday, thứ năm
ticket, issue, phiếu yêu cầu
time zone, timezone, utc, múi giờ
timeout, time out, expire, hết giờ, quá giờ
timestamp, mốc thời gian
tip, gratuity, tiền tip, tiền boa
title, tiêu đề
together, cùng nhau
tool, tooling, utility, công cụ
topic, chủ đề
total, overall, tổng cộng, tổng số
touch, chạm vào
trace, tracing, truy vết
track, tracking, theo dõi
traffic light, đèn giao thông
transaction, giao dịch
transfer, payout, chuyển khoản, chi trả
transition, chuyển tiếp
transparent, minh bạch
travel, trip, chuyến đi
tray, khay đựng
trend, xu hướng
trigger, kích hoạt
truck, lorry, xe tải
trust, tin tưởng
tuesday, thứ ba
turn red, fail the build, build fails, báo đỏ
twin, bản sao số
type, kind, kiểu dữ liệu, loại hình
typescript, javascript, js, ts
typo, lỗi chính tả
unclear, ambiguous, không rõ
understand, hiểu rõ
undo, hoàn tác
unexpected, ngoài dự kiến
unique, distinct, duy nhất
unit test, kiểm thử đơn vị
unit, đơn vị
unlock, mở khoá, mở khóa
unnecessary, needless, không cần thiết
unsafe, không an toàn
unused, dead code, không dùng
update, refresh, upgrade, cập nhật, nâng cấp
upload, push, tải lên
upper case, chữ hoa
uptime, availability, thời gian hoạt động
urgent, gấp rút
usability, ux, khả dụng
use, usage, utilize, sử dụng
user, người dùng
vacuum, dọn rác
validate, kiểm tra hợp lệ
value, giá trị
variable, biến số
vehicle, car, bike, motorbike, xe máy, phương tiện
vendor lock-in, phụ thuộc nhà cung cấp
verify, xác minh
version bump, tăng phiên bản
version, revision, release, phiên bản
video, clip, đoạn phim
vietnamese, tiếng việt
view model, viewmodel, mô hình giao diện
virtual machine, vm, máy ảo
visible, see, nhìn thấy
visit, traffic, lượt truy cập
visual, trực quan
voltage, điện áp
volume, khối lượng
vulnerability, cve, security hole, lỗ hổng
wallet, ví điện tử
warehouse, data warehouse, kho dữ liệu
warranty, guarantee, bảo hành
watchdog, bộ canh
water, nước uống
weather, thời tiết
wednesday, thứ tư
week, tuần lễ
weekend, cuối tuần
weight, cân nặng, trọng lượng
whitelist, allowlist, danh sách cho phép
wifi, wi-fi, mạng không dây
win, winner, prevail, thắng thế
window, cửa sổ
wire, cable, dây cáp
without, lacking, không có
workload, khối lượng công việc
workshop, hội thảo
wrap, bao bọc
write, viết ra
write-off, xoá nợ
year, năm nay
yearly, annual, hằng năm, hàng năm
young, trẻ tuổi
zero, số không
zip, archive file, tệp nén
"""
