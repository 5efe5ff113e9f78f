"""Words that stand for one another in notes of software teams, in English and Vietnamese: a meaning a line.

The first word names the meaning. Vietnamese words of one syllable are left out, since without accents they are many
words at once.
"""

LEXICON = """
abort, cancel, cancellation, call off, hủy bỏ, huỷ bỏ
accept, approve, approval, sign off, phê duyệt, chấp thuận, chấp nhận
access, permission, right, authorization, quyền truy cập, phân quyền, cấp quyền
account, tài khoản
accountant, bookkeeping, accounting, kế toán
add, append, insert, introduce, thêm vào, bổ sung
address, địa chỉ
agree, agreement, consent, settle on, đồng ý, thoả thuận, thỏa thuận, thống nhất
alert, alarm, warning, warn, cảnh báo, báo động
allow, permit, may, cho phép, được phép
amount, sum, số tiền
analysis, analyse, analyze, phân tích
answer, reply, respond, response, trả lời, phản hồi
app, application, ứng dụng
architecture, kiến trúc
argument, parameter, tham số
arrive, arrival, delivered, đến nơi, giao tới
ask, question, inquire, câu hỏi, thắc mắc
assign, allocate, dispatch, phân công, giao việc, gán cho
attempt, try, retry, thử lại, làm lại
authenticate, authentication, login, log in, sign in, signin, đăng nhập, xác thực
automatic, automatically, automated, tự động
average, mean, trung bình
backup, back up, sao lưu, dự phòng
balance, số dư
ban, forbid, forbidden, prohibit, not allowed, must not, cấm dùng, không được phép, nghiêm cấm
bandwidth, băng thông
bank, ngân hàng
batch, lô hàng, theo lô
battery, power cell, pin yếu, ắc quy
begin, start, launch, kick off, bắt đầu, khởi động, khởi chạy
benchmark, đo hiệu năng
bill, invoice, receipt, hoá đơn, hóa đơn
blame, responsible, responsibility, owner, in charge, look after, chịu trách nhiệm, phụ trách
block, prevent, stop, ngăn chặn, ngăn cản
board, dashboard, bảng điều khiển, bảng theo dõi
boss, manager, lead, head of, trưởng nhóm, quản lý
branch, nhánh git
break, broken, fail, failure, crash, malfunction, go wrong, hỏng hóc, thất bại, bị lỗi
browser, safari, chrome, firefox, trình duyệt
budget, ngân sách
bug, defect, error, fault, issue, lỗi phần mềm, sai sót, sự cố
build, compile, biên dịch, đóng gói
bus, i2c, spi, đường truyền
button, nút bấm, nút nhấn
buy, purchase, order, mua hàng, đặt hàng, đặt mua
buyer, customer, client, shopper, consumer, khách hàng, người mua
cache, bộ nhớ đệm, bộ đệm
calendar, schedule, timetable, lịch trình, lịch làm việc, thời gian biểu
calibrate, calibration, hiệu chuẩn, hiệu chỉnh
call, invoke, gọi hàm
callback, webhook, hook, notification
camera, máy ảnh
capacity, dung lượng, sức chứa
capture, take payment, thu tiền
card, credit card, debit card, thẻ tín dụng
cart, basket, giỏ hàng
cause, reason, nguyên nhân, lý do
certificate, chứng chỉ, chứng thư
change, modify, modification, alter, edit, thay đổi, chỉnh sửa, sửa đổi
chart, plot, graph, diagram, biểu đồ, đồ thị
cheap, cost, price, expensive, chi phí, giá cả, giá tiền
check, verify, validate, validation, inspect, kiểm tra, xác minh, thẩm tra
checkout, pay, payment, thanh toán, trả tiền
choose, pick, select, selection, lựa chọn
classify, classification, grade, grading, phân loại, xếp hạng
clean, cleanup, tidy, purge, dọn dẹp, làm sạch
clear, obvious, plain, rõ ràng
client, máy khách
clock, time, timer, đồng hồ
close, shut, shut down, đóng lại, đóng cửa
cloud, đám mây
cluster, cụm máy
code review, review, reviewer, duyệt mã, rà soát
code, source, mã nguồn
coding style, convention, style guide, quy ước, phong cách
colleague, teammate, coworker, co-worker, đồng nghiệp
collect, gather, thu thập, thu gom
colour, color, màu sắc
column, field, cột dữ liệu, trường dữ liệu
command, câu lệnh, lệnh chạy
comment, remark, bình luận, nhận xét, ghi chú
commit, lần commit
company, firm, công ty, doanh nghiệp
compare, comparison, so sánh
compatible, compatibility, tương thích
complain, complaint, khiếu nại, phàn nàn
complete, finish, finished, done, hoàn thành, hoàn tất, kết thúc
compress, compression, nén dữ liệu
concurrent, parallel, simultaneous, at once, at the same time, song song, đồng thời, cùng lúc
config, configuration, setting, option, preference, cấu hình, cài đặt, thiết lập, tuỳ chọn, tùy chọn
confirm, confirmation, xác nhận
conflict, clash, xung đột
connect, connection, link, kết nối, liên kết
consistent, consistency, nhất quán
container, docker, vùng chứa
contract, hợp đồng
convert, transform, conversion, chuyển đổi, biến đổi
copy, duplicate, clone, sao chép, nhân bản, bản sao
correct, right, accurate, accuracy, chính xác, độ chính xác
count, number of, how many, đếm số, số lượng
coupon, voucher, discount, promo, promotion, khuyến mãi, giảm giá, mã giảm
courier, driver, rider, delivery person, tài xế, người giao hàng, shipper
crash, outage, incident, downtime, sự cố, ngừng hoạt động
create, make, generate, produce, tạo ra, tạo mới, sinh ra, khởi tạo
currency, money, tiền tệ, đơn vị tiền
current, present, now, at the moment, these days, hiện tại, hiện nay, bây giờ
cut-off, cutoff, threshold, ngưỡng cắt, điểm cắt
daily, every day, each day, hằng ngày, hàng ngày, mỗi ngày
dark, tối màu
data set, dataset, tập dữ liệu, bộ dữ liệu
data, dữ liệu
database, db, cơ sở dữ liệu
date, ngày tháng
deadline, due date, time limit, hạn chót, thời hạn
debug, debugging, troubleshoot, gỡ lỗi, tìm lỗi
decide, decision, resolve, quyết định
default, mặc định
delay, wait, late, postpone, chậm trễ, trì hoãn, chờ đợi
delete, remove, drop, erase, wipe, xoá bỏ, xóa bỏ, loại bỏ, gỡ bỏ
deliver, delivery, shipping, shipment, giao hàng, vận chuyển
dependency, library, package, thư viện, phụ thuộc
deploy, deployment, release, ship, rollout, roll out, go live, triển khai, phát hành, ra mắt
deprecated, obsolete, retired, phased out, no longer, lỗi thời, ngừng hỗ trợ, không còn
design, thiết kế
detect, detection, discover, phát hiện
developer, engineer, programmer, lập trình viên, kỹ sư, nhà phát triển
device, hardware, gadget, thiết bị, phần cứng
difference, gap, discrepancy, mismatch, chênh lệch, khác biệt, sai lệch
directory, folder, thư mục
disable, turn off, switch off, deactivate, vô hiệu, tắt đi
discuss, discussion, meeting, talk, thảo luận, trao đổi, cuộc họp, buổi họp
disk, storage, ổ đĩa, lưu trữ
display, show, render, hiển thị, trình bày
document, documentation, docs, tài liệu
download, fetch, pull, grab, tải xuống, tải về
duration, how long, period, bao lâu, khoảng thời gian
early, soon, sớm hơn
edit, editor, trình soạn thảo
email, mail, thư điện tử, hộp thư
employee, staff, worker, personnel, nhân viên, người lao động, công nhân
empty, blank, để trống, trống rỗng
enable, turn on, switch on, activate, kích hoạt, bật lên
encrypt, encryption, mã hoá, mã hóa
endpoint, api, route, điểm cuối
environment, môi trường
estimate, estimation, ước lượng, ước tính
event, sự kiện
every week, weekly, hằng tuần, hàng tuần, mỗi tuần
example, sample, ví dụ
exception, ngoại lệ
experiment, trial, pilot, a/b test, thử nghiệm, thí nghiệm
expire, expiry, expiration, ttl, hết hạn, quá hạn
explain, explanation, giải thích
export, xuất dữ liệu, xuất file
external, third party, third-party, bên ngoài, bên thứ ba
face, khuôn mặt, gương mặt
factory, plant, mill, nhà máy, xưởng sản xuất
fast, quick, speed, performance, hiệu năng, tốc độ, nhanh chóng
feature flag, flag, toggle, feature switch, cờ tính năng
feature, functionality, tính năng, chức năng
fee, commission, charge, phí dịch vụ, hoa hồng
feedback, góp ý, phản hồi
file, tập tin, tệp tin
fine-tune, fine-tuning, train, training, huấn luyện, tinh chỉnh
firmware, vi chương trình
fix, repair, mend, solve, patch, remedy, workaround, sửa lỗi, khắc phục, cách sửa
flaky, unstable, intermittent, chập chờn, không ổn định
format, formatting, định dạng
formatter, lint, linter, prettier, eslint
freeze, frozen, code freeze, đóng băng
frequency, how often, rate, tần suất, tần số
frontend, front end, ui, user interface, giao diện
function, method, hàm số, phương thức
gateway, cổng kết nối
generate, sinh mã
glossary, terminology, thuật ngữ
goal, target, aim, objective, mục tiêu, chỉ tiêu
goods, product, item, article, hàng hoá, hàng hóa, sản phẩm, mặt hàng
hang, stuck, freeze up, treo máy, bị treo
header, tiêu đề
heat, temperature, nhiệt độ
hide, mask, conceal, blur, anonymize, redact, che giấu, ẩn đi, làm mờ, ẩn danh
hire, onboarding, newcomer, new hire, nhân viên mới, người mới
holiday, vacation, leave, day off, nghỉ phép, ngày nghỉ, nghỉ lễ
host, server, machine, máy chủ
hour, giờ đồng hồ
humidity, moisture, độ ẩm
id, identifier, định danh, mã số
idle, sleep, ngủ đông, chế độ nghỉ
image, picture, photo, photograph, hình ảnh, bức ảnh, ảnh chụp
import, nhập dữ liệu
improve, improvement, enhance, optimize, optimise, cải thiện, cải tiến, tối ưu
index, chỉ mục
inform, notify, notification, tell, thông báo, báo tin
input, đầu vào
install, installation, set up, setup, thiết lập, cài đặt
internal, internals, nội bộ
internet, network, web, mạng lưới, mạng internet
inventory, stock, warehouse, tồn kho, kho hàng
isolate, isolation, cô lập, cách ly
job, task, work, công việc, nhiệm vụ, tác vụ
key, secret, credential, token, password, passphrase, mật khẩu, khoá bí mật, khóa bí mật
label, annotation, annotate, tag, gán nhãn, chú thích
language, ngôn ngữ
large, big, huge, to lớn, kích thước lớn
last, most recent, gần đây, mới nhất, gần nhất
latency, response time, độ trễ
law, regulation, legal, compliance, quy định, pháp luật, tuân thủ
leak, rò rỉ
ledger, journal, bút toán, sổ cái
length, chiều dài, độ dài
level, mức độ, cấp độ
licence, license, giấy phép
light, led, đèn báo
limit, maximum, max, cap, at most, upper bound, giới hạn, tối đa
list, danh sách
load, tải trọng
locale, localization, translation, translate, i18n, bản dịch, dịch thuật, địa phương hoá
location, place, position, gps, vị trí, địa điểm
lock, khoá dòng, khóa dòng
log, logging, nhật ký, ghi log
logo, brand, thương hiệu
loss, lost, lose, mất mát, thất lạc
lot, many, nhiều lần
main, master, trunk, nhánh chính
maintain, maintenance, upkeep, bảo trì, duy trì
manual, by hand, manually, thủ công, bằng tay
map, bản đồ
market, thị trường
maximum, longest, highest, tối đa, lớn nhất
measure, measurement, metric, đo lường, phép đo, số liệu
memory, ram, bộ nhớ
merchant, seller, shop owner, store owner, người bán, nhà bán
merge, join, combine, gộp lại, hợp nhất, kết hợp
message, tin nhắn, thông điệp
middle, trung gian
migrate, migration, di chuyển dữ liệu, chuyển đổi dữ liệu
minimum, min, lowest, at least, tối thiểu, ít nhất
minute, phút đồng hồ
mistake, wrong, incorrect, nhầm lẫn, sai lầm, không đúng
mobile, phone, smartphone, handset, điện thoại, di động
mock, stub, fake, giả lập, mô phỏng
model, mô hình
module, package, mô-đun, gói phần mềm
monitor, monitoring, observe, watch, giám sát, theo dõi
month, monthly, hằng tháng, hàng tháng, mỗi tháng
move, relocate, di chuyển, dời đi
name, naming, rename, đặt tên, đổi tên, tên gọi
need, require, requirement, must, have to, yêu cầu, bắt buộc, cần phải
night, overnight, nightly, ban đêm, hằng đêm
normal, usual, expected, bình thường, thông thường
not working, broken down, down, ngừng chạy
number, digit, con số, chữ số
office, văn phòng
offline, no network, without network, ngoại tuyến, mất mạng, không có mạng
on call, on-call, pager, duty, standby, trực ca, ca trực, trực sự cố
open, mở ra
operate, operation, vận hành, hoạt động
order of, sequence, thứ tự, trình tự
order, đơn hàng
organisation, organization, tổ chức
outage, unavailable, gián đoạn
output, đầu ra
overwrite, overwritten, ghi đè
page, trang web
paper, giấy tờ
partner, đối tác
pass, through, vượt qua
password, mật khẩu
pause, suspend, tạm dừng, tạm ngưng
pay, salary, wage, lương bổng, tiền lương
percent, percentage, share, phần trăm, tỷ lệ, tỉ lệ
persistence, storage, store, lưu trữ, lưu giữ
person, people, human, con người, mọi người
pick up, pickup, collect, lấy hàng
pixel, điểm ảnh
plan, planning, roadmap, kế hoạch, lộ trình
policy, rule, guideline, quy tắc, nguyên tắc, chính sách, quy định
precision, độ chính xác
prefer, preference, rather, ưu tiên, ưa thích
prepare, preparation, chuẩn bị
previous, former, earlier, old, trước đây, trước đó
print, printer
priority, urgent, important, khẩn cấp, quan trọng, mức ưu tiên
privacy, personal data, pii, riêng tư, dữ liệu cá nhân
problem, trouble, vấn đề, rắc rối
process, procedure, workflow, quy trình, tiến trình, thủ tục
production, prod, live, môi trường thật
profit, revenue, income, turnover, sales, doanh thu, lợi nhuận
project, dự án
promise, commitment, sla, cam kết
proof, evidence, bằng chứng
proposal, propose, suggest, suggestion, đề xuất, đề nghị, kiến nghị
provider, supplier, vendor, nhà cung cấp
publish, post, công bố, xuất bản
pull request, merge request, pr, yêu cầu gộp
quality, chất lượng
quantity, amount, số lượng
query, truy vấn
queue, backlog, hàng đợi
random, ngẫu nhiên
range, khoảng cách, phạm vi
raw, unprocessed, dữ liệu thô
read, đọc dữ liệu
receive, receiver, recipient, người nhận, nhận được
reconcile, reconciliation, recon, đối soát, đối chiếu
record, bản ghi
recover, recovery, restore, undo, revert, roll back, rollback, khôi phục, phục hồi, hoàn tác, quay lại
refund, reimburse, money back, give back, hoàn tiền, hoàn trả, trả lại tiền
refuse, reject, decline, deny, denied, từ chối, bác bỏ
region, area, zone, khu vực, vùng miền
register, registration, sign up, signup, đăng ký
relay, forward, mesh, pass on, chuyển tiếp
reliable, reliability, robust, tin cậy, ổn định
remember, memory, ghi nhớ
repeat, again, lặp lại
replace, substitute, swap, thay thế, thay bằng
report, báo cáo
repository, repo, kho mã
request, yêu cầu
research, study, nghiên cứu
reset, khởi động lại, đặt lại
result, outcome, kết quả
retain, retention, keep, kept, stored for, giữ lại, lưu trữ, thời gian lưu
return, trả hàng, trả lại
rice, grain, hạt gạo, lúa gạo
risk, danger, rủi ro, nguy cơ
role, vai trò
rollback, roll back, quay lui
root cause, nguyên nhân gốc
rotate, rotation, xoay vòng, luân phiên
route, path, itinerary, tuyến đường, lộ trình, đường đi
run, execute, execution, thực thi, chạy lệnh
safe, safety, secure, security, an toàn, bảo mật
sample, sampling, lấy mẫu, mẫu thử
save, store, lưu lại
scale, scaling, mở rộng
scan, quét mã
scope, phạm vi
screen, view, màn hình
search, find, look for, look up, tìm kiếm, tra cứu
season, mùa vụ
second, giây đồng hồ
send, submit, transmit, gửi đi, truyền tải
sensor, probe, cảm biến
separate, split, divide, tách riêng, phân chia, chia nhỏ
session, phiên làm việc
shift, ca làm, ca làm việc
shop, store, storefront, cửa hàng, gian hàng
short, brief, ngắn gọn
sign, signature, chữ ký, ký tên
simple, easy, đơn giản, dễ dàng
size, kích thước, kích cỡ
slow, sluggish, lag, chậm chạp
software, phần mềm
solution, giải pháp
sort, sắp xếp
space, room, không gian, chỗ trống
staging, preview, test environment, môi trường thử
standard, tiêu chuẩn
state, status, condition, trạng thái, tình trạng
statistics, thống kê
step, bước đi
stop, halt, dừng lại
strategy, chiến lược
stress, load test, kiểm tải
string, chuỗi ký tự
stub, mock, double, đối tượng giả
subscription, subscribe, đăng ký theo dõi
supplier, nhà cung ứng
support, help, assist, hỗ trợ, giúp đỡ, trợ giúp
sync, synchronize, synchronise, đồng bộ
system, hệ thống
table, bảng dữ liệu
team, squad, group, nhóm làm, đội ngũ
template, boilerplate, khuôn mẫu, bản mẫu
temporary, tạm thời
test, testing, kiểm thử, bài kiểm tra
thread, luồng xử lý
ticket, issue, phiếu yêu cầu
time zone, timezone, utc, múi giờ
timeout, time out, expire, hết giờ, quá giờ
tip, gratuity, tiền tip, tiền boa
together, cùng nhau
tool, tooling, utility, công cụ
total, overall, tổng cộng, tổng số
trace, tracing, truy vết
track, tracking, theo dõi
transaction, giao dịch
transfer, payout, chuyển khoản, chi trả
trust, tin tưởng
type, kind, kiểu dữ liệu, loại hình
unique, distinct, duy nhất
unit, đơn vị
update, refresh, upgrade, cập nhật, nâng cấp
upload, push, tải lên
uptime, availability, thời gian hoạt động
use, usage, utilize, sử dụng
user, người dùng
value, giá trị
variable, biến số
vehicle, car, bike, motorbike, xe máy, phương tiện
version, revision, release, phiên bản
video, clip, đoạn phim
visible, see, nhìn thấy
visit, traffic, lượt truy cập
voltage, điện áp
volume, khối lượng
wallet, ví điện tử
warranty, guarantee, bảo hành
weather, thời tiết
week, tuần lễ
weekend, cuối tuần
weight, cân nặng, trọng lượng
win, winner, prevail, thắng thế
window, cửa sổ
write, viết ra
year, năm nay
"""
